// Finds a module's file, for the vectors that the host has.

import { Module } from "./module.js";

// A module of one function, with i8x16.splat and i8x16.popcnt.
const withVectors = Uint8Array.of(
  0,
  97,
  115,
  109,
  1,
  0,
  0,
  0,
  1,
  5,
  1,
  96,
  0,
  1,
  123,
  3,
  2,
  1,
  0,
  10,
  10,
  1,
  8,
  0,
  65,
  0,
  253,
  15,
  253,
  98,
  11,
);

/** Whether the host has 128-bit vectors. */
export const hasVectors = () => WebAssembly.validate(withVectors);

async function read(url) {
  if (url.protocol === "file:" && typeof process === "object") {
    return process.getBuiltinModule("node:fs/promises").readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`girih: ${url} is not there (${response.status})`);
  return response.arrayBuffer();
}

/** The module of a file. (Some servers answer with a page of HTML where a file is missing.) */
export async function load(url) {
  const content = await read(url);
  const compiled = await WebAssembly.compile(content).catch((cause) => {
    throw new Error(`girih: ${url} cannot be compiled: ${cause.message}`, { cause });
  });
  return new Module(compiled);
}

/** The one of two files that this host runs. */
export const loadFor = (vectors, scalar) => load(hasVectors() ? vectors : scalar);
