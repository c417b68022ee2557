export * from "./lib/types.js";

type Algorithms<Entry> = Readonly<Omit<Entry, "PublicKey" | "SecretKey" | "GirihError">>;

/** The algorithms of a compiled girih.wasm, or girih.scalar.wasm. */
export function girih(compiled: WebAssembly.Module): Algorithms<typeof import("./girih.js")>;
/** The algorithms of a compiled web.wasm, or web.scalar.wasm. */
export function web(compiled: WebAssembly.Module): Algorithms<typeof import("./web.js")>;
/** The algorithms of a compiled verify.wasm, or verify.scalar.wasm. */
export function verify(compiled: WebAssembly.Module): Algorithms<typeof import("./verify.js")>;
