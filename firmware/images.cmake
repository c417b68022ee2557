# The images that there are, for each board. What one is for is told by its end: -verify and
# -sign do that alone.

set(GIRIH_IMAGES
  ml-dsa-44 ml-dsa-44-small ml-dsa-44-sign ml-dsa-44-verify
  ml-dsa-65 ml-dsa-65-small ml-dsa-65-sign ml-dsa-65-verify
  ml-dsa-87 ml-dsa-87-small ml-dsa-87-sign ml-dsa-87-verify
  falcon-512 falcon-512-double falcon-512-sign falcon-512-verify
  falcon-1024 falcon-1024-double falcon-1024-sign falcon-1024-verify
  sntrup761 ntrulpr761)
