export * from "./lib/types.js";

type Entries = typeof import("./compiled.js");

/** Every algorithm, once girih.wasm is loaded; each call gives the same promise. */
export function girih(): Promise<ReturnType<Entries["girih"]>>;
/** ML-DSA-65 and ML-KEM-768, once web.wasm is loaded. */
export function web(): Promise<ReturnType<Entries["web"]>>;
/** Verification by ML-DSA-65, once verify.wasm is loaded. */
export function verify(): Promise<ReturnType<Entries["verify"]>>;
