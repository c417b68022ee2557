// A module with vectors is compiled for them wholly (-msimd128): a host without them refuses it.
