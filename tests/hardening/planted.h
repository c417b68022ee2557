/* The declared exports of planted.cpp. */
#define GIRIH_API

/* GIRIH_API int planted_in_a_comment(void); */
GIRIH_API int planted_declared(const char* text, size_t bytes);
