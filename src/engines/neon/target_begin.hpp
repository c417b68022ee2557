// Every 64-bit Arm processor has NEON, so this engine's functions need no target of their own.
