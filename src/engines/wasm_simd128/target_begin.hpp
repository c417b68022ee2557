// A module with vectors is compiled for them throughout (-msimd128): hosts without them refuse it.
