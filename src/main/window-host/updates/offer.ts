import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '../../../shared/wire/canonical-json.ts';

/** What a feed offers: one version and its files, each with its digest (SHA-512 in base64). */
const OfferedFile = z.object({ url: z.string().min(1), sha512: z.string().length(88), size: z.int().min(1) });
const Offer = z.object({
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  files: z.array(OfferedFile).min(1),
});
export type Offer = z.infer<typeof Offer>;
const SignedOffer = Offer.extend({
  /** Ed25519 over the offer, base64. */
  signature: z.string(),
  // Another file than those that are signed would hide here.
  packages: z.never().optional(),
});

/** Version, names and digests, and nothing a feed may add beside them. */
const signedBytes = ({ version, files }: Offer): Buffer =>
  Buffer.from(canonicalJson({ version, files: files.map(({ url, sha512, size }) => ({ url, sha512, size })) }));

export const signOffer = (offer: Offer, privateKey: KeyObject): string =>
  sign(null, signedBytes(offer), privateKey).toString('base64');

/** Whether the holder of the key made this offer. `publicKey` is PEM. Never throws. */
export function isSignedOffer(input: unknown, publicKey: string): boolean {
  const parsed = SignedOffer.safeParse(input);
  if (!parsed.success) return false;
  try {
    const key = createPublicKey(publicKey);
    return verify(null, signedBytes(parsed.data), key, Buffer.from(parsed.data.signature, 'base64'));
  } catch {
    // No key, or one of another kind: nobody vouches for it.
    return false;
  }
}
