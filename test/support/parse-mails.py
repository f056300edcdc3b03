"""Reads mails with Python's email package: a JSON list of base64 on standard input, a JSON list of readings back."""

import base64
import email
import email.policy
import email.utils
import hashlib
import json
import sys
from email.header import decode_header, make_header


def mailboxes(values):
    """The older way of the package: until 3.13 the newer one puts a space between the encoded words of a name."""
    pairs = email.utils.getaddresses(values)
    return [{"name": str(make_header(decode_header(name))), "address": address} for name, address in pairs]


def reading(data):
    mail = email.message_from_bytes(data, policy=email.policy.default)
    raw = email.message_from_bytes(data, policy=email.policy.compat32)
    bodies = {"text/plain": None, "text/html": None}
    attachments = []
    for part in mail.walk():
        if part.is_multipart():
            continue
        kind = part.get_content_type()
        disposition = part.get_content_disposition()
        if disposition is None and kind in bodies and bodies[kind] is None:
            bodies[kind] = part.get_content()
            continue
        content = part.get_payload(decode=True)
        cid = part["content-id"]
        attachments.append(
            {
                "name": part.get_filename(),
                "type": kind,
                "disposition": disposition,
                "cid": None if cid is None else str(cid).strip().strip("<>"),
                "sha256": hashlib.sha256(content).hexdigest(),
            }
        )
    defects = [type(d).__name__ for part in mail.walk() for d in part.defects]
    # The name in the type is an encoded word inside quotes, against the letter of RFC 2047: Outlook reads no other.
    headers = [value for part in mail.walk() for key, value in part.items() if key.lower() != "content-type"]
    defects += [type(d).__name__ for value in headers for d in value.defects]
    return {
        "subject": str(mail["subject"] or ""),
        "from": mailboxes(raw.get_all("from", [])),
        "to": mailboxes(raw.get_all("to", [])),
        "replyTo": mailboxes(raw.get_all("reply-to", [])),
        "dateMs": round(mail["date"].datetime.timestamp() * 1000),
        "messageId": str(mail["message-id"]).strip(),
        "inReplyTo": str(mail["in-reply-to"] or "").strip(),
        "references": str(mail["references"] or "").split(),
        "unsubscribe": str(mail["list-unsubscribe"] or "").strip(),
        "unsubscribePost": str(mail["list-unsubscribe-post"] or "").strip(),
        "text": bodies["text/plain"],
        "html": bodies["text/html"],
        "attachments": attachments,
        "defects": defects,
    }


json.dump([reading(base64.b64decode(one)) for one in json.load(sys.stdin)], sys.stdout)
