// A program in the shape of noble's users, which the compiler for TypeScript checks (strict).

import {
  dilithium3,
  falcon512,
  GirihError,
  ml_dsa65,
  ml_kem768,
  PublicKey,
  SecretKey,
  sntrup761,
} from "girih";
import type { Kem, KeyPair, Signer } from "girih";
import { ml_dsa65 as verifier } from "girih/verify";
import { ml_dsa65 as signer } from "girih/web";
import * as compiled from "girih/compiled";
import * as ready from "girih/ready";

const message = new TextEncoder().encode("a message");

function signed(algorithm: Signer, keys: KeyPair): boolean {
  const signature: Uint8Array = algorithm.sign(message, keys.secretKey, {
    context: message,
    extraEntropy: false,
  });
  return algorithm.verify(signature, message, keys.publicKey, { context: message });
}
const body: Blob = new Blob([ml_dsa65.keygen().publicKey, SecretKey.generate(ml_dsa65).bytes]);
const agreed = (algorithm: Kem): Uint8Array => {
  const { publicKey, secretKey } = algorithm.keygen();
  return algorithm.decapsulate(algorithm.encapsulate(publicKey).cipherText, secretKey);
};
const results: boolean[] = [ml_dsa65, signer, falcon512, dilithium3].map((algorithm) =>
  signed(algorithm, algorithm.keygen()),
);
export function edge(whole: WebAssembly.Module, small: WebAssembly.Module): boolean {
  const { ml_dsa65, ml_kem768 } = compiled.web(small);
  const key: compiled.PublicKey = new compiled.PublicKey(
    compiled.girih(whole).ml_dsa65,
    ml_dsa65.keygen().publicKey,
  );
  return (
    compiled.verify(small).ml_dsa65.verify(message, message, key.bytes) &&
    agreed(ml_kem768).length === 32
  );
}
export async function later(): Promise<boolean> {
  const { ml_dsa65, ml_kem768 } = await ready.web();
  const { publicKey } = (await ready.girih()).sntrup761.keygen();
  const isValid = (await ready.verify()).ml_dsa65.verify(message, message, publicKey);
  return isValid && signed(ml_dsa65, ml_dsa65.keygen()) && agreed(ml_kem768).length === 32;
}
const secrets: Uint8Array[] = [agreed(ml_kem768), agreed(sntrup761)];

export async function keys(file: Blob, pem: string): Promise<boolean> {
  const key = SecretKey.fromPem(pem, ml_dsa65);
  const signature = await key.signStream(file.stream(), { context: message });
  const { pub, kty }: { pub: string; kty: "AKP" } = PublicKey.fromJwk(
    key.publicKey.toJwk(),
    verifier,
  ).toJwk();
  const prepared = ml_kem768.prepareDecapsulationKey(SecretKey.generate(ml_kem768).bytes);
  prepared.free();
  return (
    (await key.publicKey.verifyStream(signature, [message])) && pub.length > 0 && kty === "AKP"
  );
}

try {
  ml_dsa65.keygen(message);
} catch (error) {
  if (error instanceof GirihError) console.log(error.code.toFixed(), results, secrets, body);
}

// @ts-expect-error: strings are no messages
ml_dsa65.sign("text", message);
// @ts-expect-error: the order of arguments is noble's
verifier.verify(message, { context: message }, message);
// @ts-expect-error: Falcon reads a message twice
falcon512.signStream([message], message);
// @ts-expect-error: a key of ML-KEM signs nothing
SecretKey.generate(ml_kem768).sign(message);
// @ts-expect-error: NTRU Prime has no prepared keys
sntrup761.prepareEncapsulationKey(message);
// @ts-expect-error: the package only verifies
verifier.keygen();
// @ts-expect-error: the module only verifies
compiled.verify(new WebAssembly.Module(message)).ml_dsa65.sign;
// @ts-expect-error: a promise has no algorithms
ready.web().ml_dsa65;
// @ts-expect-error: options are known
ml_dsa65.sign(message, message, { entropy: message });
