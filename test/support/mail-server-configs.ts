/** Configuration texts of the real mail servers of `mail-servers.ts`: all that each needs, nothing of the machine's own. */

/** Absolute paths; `folder` is the servers' own and is removed with them. */
export type Site = {
  readonly folder: string;
  /** The first names the servers; every one has mailboxes. */
  readonly domains: readonly [string, ...string[]];
  readonly password: string;
  readonly certificate: string;
  readonly key: string;
  /** Sockets of Dovecot through which the others deliver and check passwords. */
  readonly lmtpSocket: string;
  readonly authSocket: string;
  /** File that says where access tokens are checked; null where there are only passwords. */
  readonly tokenCheck: string | null;
};

/**
 * Any user of the domains may log in with the one password and has a mailbox with a Sent folder. What is submitted here
 * goes on to `relay`.
 */
export const dovecotConf = (
  site: Site,
  ports: { readonly imaps: number; readonly starttls: number; readonly tls: number; readonly relay: number },
): string => `
protocols = imap lmtp submission
hostname = dovecot.${site.domains[0]}
submission_relay_host = 127.0.0.1
submission_relay_port = ${ports.relay}
submission_max_mail_size = 20M
listen = 127.0.0.1
base_dir = ${site.folder}/dovecot/run
state_dir = ${site.folder}/dovecot/state
log_path = ${site.folder}/dovecot.log
ssl = required
ssl_cert = <${site.certificate}
ssl_key = <${site.key}
auth_mechanisms = plain login${site.tokenCheck === null ? '' : ' xoauth2'}
auth_failure_delay = 0
first_valid_uid = 1
mail_location = maildir:~/Maildir
namespace inbox {
  inbox = yes
  mailbox Sent {
    auto = create
    special_use = \\Sent
  }
}
${site.tokenCheck === null ? '' : tokenPassdb(site.tokenCheck)}
passdb {
  driver = static
  mechanisms = plain login
  args = password=${site.password}
}
userdb {
  driver = static
  args = uid=nobody gid=nogroup home=${site.folder}/mail/%u allow_all_users=yes
}
service imap-login {
  chroot =
  inet_listener imap {
    port = 0
  }
  inet_listener imaps {
    port = ${ports.imaps}
    ssl = yes
  }
}
service submission-login {
  chroot =
  inet_listener submission {
    port = ${ports.starttls}
  }
  inet_listener submissions {
    port = ${ports.tls}
    ssl = yes
  }
}
service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service lmtp {
  unix_listener ${site.lmtpSocket} {
    mode = 0666
  }
}
service auth {
  unix_listener ${site.authSocket} {
    mode = 0666
  }
}
`;

const tokenPassdb = (file: string): string => `
passdb {
  driver = oauth2
  mechanisms = xoauth2
  args = ${file}
}
`;

/** Asks the authorisation server whose token it is (RFC 7662), for each login. */
export const tokenCheckConf = (introspectionUrl: string): string => `
introspection_mode = post
introspection_url = ${introspectionUrl}
active_attribute = active
active_value = true
username_attribute = sub
`;

export const postfixMain = (site: Site, elsewhere: 'refuse' | 'discard'): string => `
compatibility_level = 3.6
queue_directory = ${site.folder}/postfix/spool
data_directory = ${site.folder}/postfix/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
myhostname = postfix.${site.domains[0]}
mydestination =
mynetworks = 127.255.255.255/32
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
alias_maps =
virtual_mailbox_domains = ${site.domains.join(', ')}
virtual_transport = lmtp:unix:${site.lmtpSocket}
default_transport = ${elsewhere === 'discard' ? 'discard:' : 'error:this server relays nothing'}
disable_dns_lookups = yes
smtpd_peername_lookup = no
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = ${site.authSocket}
smtpd_tls_cert_file = ${site.certificate}
smtpd_tls_key_file = ${site.key}
smtpd_tls_auth_only = yes
smtpd_recipient_restrictions = permit_sasl_authenticated, reject
smtpd_client_connection_rate_limit = 0
message_size_limit = 30000000
maillog_file = ${site.folder}/output.log
maillog_file_prefixes = /
`;

/** Behind `relay` it takes what Dovecot has checked already. */
export const postfixMaster = (ports: {
  readonly starttls: number;
  readonly tls: number;
  readonly relay: number;
}): string => `
127.0.0.1:${ports.starttls} inet n - n - - smtpd
  -o smtpd_tls_security_level=encrypt
127.0.0.1:${ports.tls} inet n - n - - smtpd
  -o smtpd_tls_wrappermode=yes
127.0.0.1:${ports.relay} inet n - n - - smtpd
  -o smtpd_sasl_auth_enable=no
  -o smtpd_recipient_restrictions=permit
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`;

export const eximConf = (
  site: Site,
  exim: { readonly program: string; readonly starttls: number; readonly tls: number },
): string => `
primary_hostname = exim.${site.domains[0]}
exim_path = ${exim.program}
keep_environment =
spool_directory = ${site.folder}/exim/spool
log_file_path = ${site.folder}/exim/log/%slog
local_interfaces = <; 127.0.0.1
daemon_smtp_ports = ${exim.starttls} : ${exim.tls}
tls_on_connect_ports = ${exim.tls}
tls_certificate = ${site.certificate}
tls_privatekey = ${site.key}
tls_advertise_hosts = *
auth_advertise_hosts = \${if eq{$tls_in_cipher}{}{}{*}}
host_lookup =
rfc1413_hosts =
acl_smtp_rcpt = check_rcpt
acl_smtp_data = check_data
smtp_accept_queue_per_connection = 0

begin acl
check_rcpt:
  accept authenticated = *
         domains = ${site.domains.join(' : ')}
  deny message = relay not permitted
check_data:
  accept

begin routers
mailboxes:
  driver = accept
  domains = ${site.domains.join(' : ')}
  transport = dovecot

begin transports
dovecot:
  driver = lmtp
  socket = ${site.lmtpSocket}
  user = Debian-exim

begin retry
* * F,2h,1m

begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = \${if eq{$auth3}{${site.password}}}
  server_set_id = $auth2
login:
  driver = plaintext
  public_name = LOGIN
  server_prompts = Username:: : Password::
  server_condition = \${if eq{$auth2}{${site.password}}}
  server_set_id = $auth1
`;
