/** Bytes that girih returns: a `Uint8Array<ArrayBuffer>` (TypeScript 5.7), as Blob and fetch take it. */
export type Bytes = ReturnType<typeof Uint8Array.of>;

/** How a message is signed. */
export interface SignOptions {
  /** At most 255 bytes; ML-DSA alone has contexts. */
  context?: Uint8Array;
  /** `lengths.signRand` bytes of randomness, or `false` for a deterministic signature. Without it,
   * the host's randomness is drawn. Falcon does not sign deterministically. */
  extraEntropy?: Uint8Array | false;
}

export interface VerifyOptions {
  context?: Uint8Array;
}

export interface KeyPair {
  publicKey: Bytes;
  secretKey: Bytes;
}

export interface Encapsulation {
  cipherText: Bytes;
  sharedSecret: Bytes;
}

/** A key in the module's memory, which free() wipes. A key that is never freed is wiped when it is
 * collected. */
export interface PreparedKey {
  free(): void;
}
export interface SigningKey extends PreparedKey {
  sign(message: Uint8Array, options?: SignOptions): Bytes;
}
export interface VerifyingKey extends PreparedKey {
  verify(signature: Uint8Array, message: Uint8Array, options?: VerifyOptions): boolean;
}
export interface EncapsulationKey extends PreparedKey {
  encapsulate(msg?: Uint8Array): Encapsulation;
}
export interface DecapsulationKey extends PreparedKey {
  decapsulate(cipherText: Uint8Array): Bytes;
}

export interface Keys {
  readonly info: { readonly type: string };
  /** The key pair of a seed of `lengths.seed` bytes, or of the host's randomness. */
  keygen(seed?: Uint8Array): KeyPair;
  /** The public key of a secret key. Every check that the encoding allows is made. */
  getPublicKey(secretKey: Uint8Array): Bytes;
}

export interface Verifier {
  readonly info: { readonly type: string };
  readonly lengths: { readonly publicKey: number; readonly signature: number };
  /** Whether the signature is that of the message. A wrong length is `false`, too. */
  verify(
    signature: Uint8Array,
    message: Uint8Array,
    publicKey: Uint8Array,
    options?: VerifyOptions,
  ): boolean;
  prepareVerifyingKey(publicKey: Uint8Array): VerifyingKey;
}

export interface Signer extends Keys, Verifier {
  readonly lengths: {
    readonly publicKey: number;
    readonly secretKey: number;
    readonly seed: number;
    /** Of the longest signature. */
    readonly signature: number;
    readonly signRand: number;
  };
  sign(message: Uint8Array, secretKey: Uint8Array, options?: SignOptions): Bytes;
  prepareSigningKey(secretKey: Uint8Array): SigningKey;
}

/** A message in pieces. */
export type Source = Iterable<Uint8Array> | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;

/** ML-DSA and Dilithium, which read a message once, in pieces. */
export interface StreamVerifier extends Verifier {
  verifyStream(
    signature: Uint8Array,
    source: Source,
    publicKey: Uint8Array,
    options?: VerifyOptions,
  ): Promise<boolean>;
}
export interface StreamSigner extends Signer, StreamVerifier {
  readonly lengths: Signer["lengths"];
  signStream(source: Source, secretKey: Uint8Array, options?: SignOptions): Promise<Bytes>;
}

export interface Kem extends Keys {
  readonly lengths: {
    readonly publicKey: number;
    readonly secretKey: number;
    readonly seed: number;
    readonly cipherText: number;
    readonly msg: number;
    readonly msgRand: number;
  };
  /** `msg`: 32 bytes in place of randomness. */
  encapsulate(publicKey: Uint8Array, msg?: Uint8Array): Encapsulation;
  /** A ciphertext of another key gives another secret, and no error (implicit rejection). */
  decapsulate(cipherText: Uint8Array, secretKey: Uint8Array): Bytes;
}

/** ML-KEM. */
export interface PreparableKem extends Kem {
  prepareEncapsulationKey(publicKey: Uint8Array): EncapsulationKey;
  prepareDecapsulationKey(secretKey: Uint8Array): DecapsulationKey;
}

/** A JWK of type "AKP" (RFC 9964); `priv` is the seed. */
export interface PublicJwk {
  kty: "AKP";
  alg: string;
  pub: string;
}
export interface SecretJwk extends PublicJwk {
  priv: string;
}

/** A public key of ML-DSA or ML-KEM. Readers name the algorithms that they accept, and throw a
 * SyntaxError if the key is malformed, another algorithm's, or a private one. */
export class PublicKey<Algorithm extends Verifier | Kem = StreamVerifier> {
  constructor(algorithm: Algorithm, key: Uint8Array);
  readonly algorithm: Algorithm;
  readonly bytes: Bytes;
  /** The subject of the certificate that the key was read from, of which only the form is checked. */
  readonly subject: string | undefined;
  /** A SubjectPublicKeyInfo, or a certificate. */
  static fromDer<A extends Verifier | Kem>(der: Uint8Array, ...algorithms: A[]): PublicKey<A>;
  /** A "PUBLIC KEY" or a "CERTIFICATE". */
  static fromPem<A extends Verifier | Kem>(text: string, ...algorithms: A[]): PublicKey<A>;
  static fromJwk<A extends Verifier>(jwk: PublicJwk, ...algorithms: A[]): PublicKey<A>;
  toDer(): Bytes;
  toPem(): string;
  toJwk(): PublicJwk;
  /** SHA-256 of the DER, in hexadecimal. */
  fingerprint(): Promise<string>;
  /** The JWK's thumbprint (RFC 7638). */
  thumbprint(): Promise<string>;
  verify(
    this: PublicKey<Verifier>,
    signature: Uint8Array,
    message: Uint8Array,
    options?: VerifyOptions,
  ): boolean;
  verifyStream(
    this: PublicKey<StreamVerifier>,
    signature: Uint8Array,
    source: Source,
    options?: VerifyOptions,
  ): Promise<boolean>;
  encapsulate(this: PublicKey<Kem>, msg?: Uint8Array): Encapsulation;
}

/** A secret key of ML-DSA or ML-KEM, as PKCS#8 (RFC 9881, RFC 9935) or JWK. */
export class SecretKey<Algorithm extends Signer | Kem = StreamSigner> {
  /** `key` is expanded, as keygen() returns it; a seed beside it has to be its own. */
  constructor(algorithm: Algorithm, key: Uint8Array, seed?: Uint8Array);
  readonly algorithm: Algorithm;
  readonly bytes: Bytes;
  readonly seed: Bytes | undefined;
  readonly publicKey: PublicKey<Algorithm>;
  static generate<A extends Signer | Kem>(algorithm: A): SecretKey<A>;
  static fromSeed<A extends Signer | Kem>(algorithm: A, seed: Uint8Array): SecretKey<A>;
  static fromDer<A extends Signer | Kem>(der: Uint8Array, ...algorithms: A[]): SecretKey<A>;
  static fromPem<A extends Signer | Kem>(text: string, ...algorithms: A[]): SecretKey<A>;
  static fromJwk<A extends Signer>(jwk: SecretJwk, ...algorithms: A[]): SecretKey<A>;
  /** With the seed; with the expanded key if there is no seed. */
  toDer(): Bytes;
  toPem(): string;
  toJwk(): SecretJwk;
  sign(this: SecretKey<Signer>, message: Uint8Array, options?: SignOptions): Bytes;
  signStream(this: SecretKey<StreamSigner>, source: Source, options?: SignOptions): Promise<Bytes>;
  decapsulate(this: SecretKey<Kem>, cipherText: Uint8Array): Bytes;
  /** Wipes the key. */
  free(): void;
}

/** An error of girih.h; `code` is its number. */
export class GirihError extends Error {
  readonly code: number;
}
