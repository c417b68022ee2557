// A module with vectors is compiled for them as a whole (-msimd128): a host without them refuses it.
