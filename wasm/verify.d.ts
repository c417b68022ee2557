import type { Verifier } from "./lib/types.d.ts";
export * from "./lib/types.d.ts";

export const engine: "wasm_simd128" | "portable";
export const ml_dsa65: Verifier;
