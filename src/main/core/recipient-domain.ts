import { parseAddress } from '../../shared/wire/address.ts';

/** The domain a claimed mail goes to, in lower case; null where its payload is not readable so far. */
export function recipientDomain(payload: unknown): string | null {
  const address = addressIn(payload, 'to');
  const parsed = address === null ? null : parseAddress(address);
  return parsed?.ok === true ? parsed.value.domain.toLowerCase() : null;
}

/** The address of one mailbox field of a payload that was not parsed yet. */
export function addressIn(payload: unknown, field: 'from' | 'to'): string | null {
  if (typeof payload !== 'object' || payload === null) return null;
  const mailbox: unknown = Reflect.get(payload, field);
  if (typeof mailbox !== 'object' || mailbox === null || !('address' in mailbox)) return null;
  return typeof mailbox.address === 'string' ? mailbox.address : null;
}
