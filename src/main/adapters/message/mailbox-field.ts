import { domainToASCII } from 'node:url';
import { err, ok, type Result } from '../../../shared/result.ts';
import { withoutUnseenMarks } from '../../../shared/unseen-marks.ts';
import { needsSmtpUtf8, parseAddress } from '../../../shared/wire/address.ts';
import type { ComposeFailure } from '../../engine/ports.ts';
import { unusable } from './unusable.ts';

export type Mailbox = { readonly name: string; readonly address: string; readonly needsSmtpUtf8: boolean };

/** The domain in ASCII (UTS 46, non-transitional), checked again: mapping can make an address literal of a name. */
export function mailboxOf(
  given: { readonly name?: string | null | undefined; readonly address: string },
  role: string,
): Result<Mailbox, ComposeFailure> {
  const parsed = parseAddress(given.address);
  const domain = parsed.ok ? domainToASCII(parsed.value.domain) : '';
  const address = parsed.ok ? `${parsed.value.localPart}@${domain}` : '';
  if (!parsed.ok || !parseAddress(address).ok) return err(unusable(`The ${role}'s address is not a usable address.`));
  const name = onOneLine(given.name ?? '');
  // Mail programs decode such a name even inside quotes: the reader would see another one than the approver did.
  if (name.includes('=?')) return err(unusable(`The ${role}'s name holds "=?", which mail programs read as a code.`));
  return ok({ name, address, needsSmtpUtf8: needsSmtpUtf8(parsed.value) });
}

/** A name as a header can carry it: runs of spaces do not survive folding. */
export const onOneLine = (name: string): string => withoutUnseenMarks(name).replace(/ +/g, ' ').trim();
