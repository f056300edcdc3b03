/** Replies as mail servers word them, by the rule that must be the first to match. */
export const REPLY_SAMPLES: Readonly<Record<string, readonly string[]>> = {
  'timeout-client-input': ['451 Timeout waiting for client input', '421 4.4.2 example Error: timeout exceeded'],
  'ms-smtpauth-off': [
    '535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant. Visit https://aka.ms/smtp_auth_disabled for more information. [X]',
    '535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Mailbox. [X]',
  ],
  'ms-basic-off': [
    '535 5.7.139 Authentication unsuccessful, basic authentication is disabled. [PN0PR01CA0024.INDPRD01.PROD.OUTLOOK.COM 2025-01-26T18:54:30.055Z 08DD3DD7D75D7743]',
  ],
  'ms-basic-retired': ['550 5.7.30 Basic authentication is not supported for Client Submission.'],
  'ms-policy-lock': [
    "535 5.7.139 Authentication unsuccessful, user is locked by your organization's security defaults policy. Contact your administrator.",
    '535 5.7.139 Authentication unsuccessful, the request did not meet the criteria to be authenticated successfully. Contact your administrator.',
  ],
  'ms-auth-fail': ['535 5.7.3 Authentication unsuccessful [AM0PR06CA0126.eurprd06.prod.outlook.com]'],
  'ms-not-authenticated': [
    '530 5.7.57 Client not authenticated to send mail. [X]',
    '530 5.7.57 SMTP; Client was not authenticated to send anonymous mail during MAIL FROM [X]',
  ],
  'gmail-app-password': [
    '534 5.7.9 Application-specific password required. For more information, go to https://support.google.com/mail/?p=InvalidSecondFactor x - gsmtp',
  ],
  'gmail-web-login': [
    '534-5.7.14 <https://accounts.google.com/signin/continue?x> Please log in via your web browser and 534 5.7.14 then try again. x - gsmtp',
  ],
  'gmail-badcreds': [
    '535 5.7.8 Username and Password not accepted. For more information, go to https://support.google.com/mail/?p=BadCredentials x - gsmtp',
  ],
  'auth-too-many': [
    '454 4.7.0 Too many login attempts, please try again later. x - gsmtp',
    '451 Requested mail action not taken: too much fail authentication',
    '554 IP is rejected, smtp auth error limit exceed',
    '535 auth failed (this user authenticate too many times)',
    '535 5.7.0 (#AUTH005) Too many bad auth attempts.',
  ],
  'qq-login-mixed': [
    '535 Login fail. Account is abnormal, service is not open, password is incorrect, login frequency limited, or system is busy. More information at https://help.mail.qq.com/detail/108/1023',
  ],
  'qq-authcode': [
    '535 Login Fail. Please enter your authorization code to login. More information in http://service.mail.qq.com/cgi-bin/help?subtype=1&&id=28&&no=1001256',
    '535 Error: 请使用授权码登录。',
  ],
  'yandex-access': ['535 5.7.8 Error: authentication failed: This user does not have access rights to this service'],
  'netease-auth': ['535 Error: authentication failed'],
  'netease-no-permission': ['550 User has no permission', '550 用户无权登陆'],
  'netease-ipdeny': ['535 Error: ERR.LOGIN.IPDENY'],
  'aliyun-526': ['526 Authentication failure[0]'],
  'sohu-state': ['535 5.7.0 Invalid state'],
  'ms-concurrency': [
    '432 4.3.2 Concurrent connections limit exceeded. Visit https://aka.ms/concurrent_sending for more information. [Hostname=X]',
    '432 4.3.2 STOREDRV.ClientSubmit; sender thread limit exceeded',
  ],
  'ms-quota': [
    '554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException; Failed to process message',
    "550 5.1.90 Your message can't be sent because you've reached your daily limit for message recipients",
  ],
  'ms-terrl': [
    "550 5.7.233 Your message can't be sent because your tenant exceeded its daily limit for sending email to external recipients (tenant external recipient rate limit)",
  ],
  'ms-outbound-spam': [
    '554 5.2.0 STOREDRV.Submission.Exception:OutboundSpamException; Failed to process message due to a permanent exception with message WASCL UserAction verdict is not None. Actual verdict is Suspend',
    '550 5.1.8 Access denied, bad outbound sender. For more information please go to http://go.microsoft.com/fwlink/?LinkId=875724',
  ],
  'ms-tenant-blocked': [
    '550 5.7.705 Access denied, tenant has exceeded threshold',
    '550 5.7.750 Service unavailable. Client blocked from sending from unregistered domains',
  ],
  'ms-server-busy': [
    '451 4.7.500 Server busy. Please try again later from [203.0.113.10]. (S77714) [BL6PEPF0001AB50.namprd04.prod.outlook.com]',
    '451 4.7.0 Temporary server error. Please try again later. PRX2',
  ],
  'gmail-daily': [
    '550 5.4.5 Daily user sending limit exceeded. For more information on Gmail sending limits go to https://support.google.com/a/answer/166852 x - gsmtp',
    '550 5.4.5 Daily SMTP relay limit exceeded for user.',
  ],
  'gmail-recipient-rate': [
    '450 4.2.1 The user you are trying to contact is receiving email too quickly. Please resend your message at a later time.',
  ],
  'gmail-unusual': [
    '421 4.7.28 Gmail has detected an unusual rate of unsolicited mail originating from your IP address. To protect our users from spam, mail sent from your IP address has been temporarily rate limited. - gsmtp',
    '421 4.7.0 Try again later, closing connection. (EHLO) x - gsmtp',
  ],
  'qq-frequency': [
    '550 Connection frequency limited',
    '550 Sender frequency limited',
    '550 Domain frequency limited. https://service.mail.qq.com/detail/122/173',
    '550 Ip frequency limited. https://service.mail.qq.com/detail/122/172',
  ],
  'qq-recipient-flood': ['550 Mailbox unavailable or access denied'],
  'netease-15min': ['451 MI:SFQ,163 smtp5,HdxpCgA3f 1630777785', '554 MI:SFQ'],
  'netease-day': [
    '554 MI:STC,163 smtp1',
    '554 5.5.0 MI:STC .For more information, please visit x',
    '550 RP:TRC',
    '550 RP:QRC',
  ],
  'netease-short': ['451 RP:QRC', '450 MI:DMC', '451 MI:CEL', '450 RP:DRC'],
  'netease-too-many-rcpt': ['550 RP:RCL', '550 Requested mail action not taken: too much recipient'],
  'netease-ip': ['421 HL:ICC', '554 HL:IHU', '450 DT:RBL', '450 WM:BLU'],
  'icloud-daily': ['550 5.7.1 member@icloud.com: You have exceeded your daily sending limit. Please try again later.'],
  'zoho-unusual': [
    '550 5.4.6 Unusual sending activity detected. Please try after sometime',
    '554 5.1.8 Email Outgoing Blocked',
  ],
  'cn-limits': ['550 Too many connect', '553 5.7.1 SENDER REJECT', '452 Too many recipients received this hour'],
  'generic-rate': [
    '421 4.7.0 Too many messages from this account, slow down',
    '452 4.5.3 Daily sending limit reached',
    '550 sending quota exceeded',
  ],
  'from-not-login': [
    '501 mail from address must be same as authorization user',
    '553 Mail from must equal authorized user',
    '553 Local user only,163 smtp5,x',
    '553 5.7.1 <x@y>: Sender address rejected: not owned by auth user.',
    '553 Relaying disallowed as x@y',
  ],
  'ms-sendas': [
    '550 5.7.60 SMTP; Client does not have permissions to send as this sender [BY2PR1001MB1094.namprd10.prod.outlook.com]',
    '554 5.2.252 SendAsDenied; user@contoso.com not allowed to send as info@contoso.com; STOREDRV.Submission.Exception:SendAsDeniedException',
    '554 5.2.0 STOREDRV.Submission.Exception:SendAsDeniedException.MapiExceptionSendAsDenied; Failed to process message',
  ],
  'from-header-mismatch': [
    '554 DT:SUM',
    '550 The "From" header is missing or invalid. Please follow RFC5322, RFC2047, RFC822 standard protocol.',
    '550 From header is missing, header is not RFC 5322 compliant',
  ],
  'auth-domain-policy': [
    '550 5.7.26 Your email has been blocked because the sender is unauthenticated. - gsmtp',
    '550 5.7.515 Access denied, sending domain example.com does not meet the required authentication level.',
    '550 MI:SPF',
    '550 5.7.1 Email rejected per DMARC policy for example.org',
  ],
  'netease-content-temp': ['451 DT:SPM ,please try again', '450 DT:SPM'],
  'netease-content': ['554 DT:SPM 163 smtp11,x 1630777785', '550 DT:SPM'],
  'client-ip-blocked': [
    '554 5.7.1 Service unavailable; Client host [203.0.113.5] blocked using zen.spamhaus.org',
    '550 Suspected spam ip. https://service.mail.qq.com/detail/122/66',
    '550 5.7.606 Access denied, banned sending IP [203.0.113.5]',
  ],
  'qq-content': [
    '550 Mail content denied. http://service.mail.qq.com/cgi-bin/help?subtype=1&&id=20022&&no=1000726',
    '550 Spam is embedded in the email',
  ],
  'attachment-blocked': [
    '552 5.7.0 This message was blocked because its content presents a potential security issue. - gsmtp',
    '552 Illegal Attachment',
  ],
  'generic-spam': [
    '550 5.7.1 Gmail has detected that this message is likely unsolicited mail. - gsmtp',
    '554 5.7.1 [CS01] Message rejected due to local policy.',
    '554 5.7.1 Message rejected under suspicion of SPAM',
    '553 5.7.3 CONTENT REJCT',
  ],
  'too-big': [
    "552 5.2.3 Your message exceeded Google's message size limits. - gsmtp",
    '552 5.3.4 Message size exceeds fixed maximum message size',
    '552 Requested mail action aborted: exceeded mailsize limit',
    '552 Message too large. https://service.mail.qq.com/detail/122/168',
  ],
  'mailbox-full': ["452 4.2.2 The recipient's inbox is out of storage space. - gsmtp", '552 5.2.2 Mailbox full'],
  'unknown-user': [
    '550 5.1.1 The email account that you tried to reach does not exist. - gsmtp',
    '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
    '550 Invalid User',
    '550 Mailbox not found',
    '550 5.4.1 Recipient address rejected: Access denied. AS(201806281)',
    '550 User suspended',
  ],
  greylist: [
    '450 4.2.0 <x@y>: Recipient address rejected: Greylisted, see http://postgrey.schweikert.ch/',
    '451 4.7.1 Greylisting in action, please try again later',
  ],
  'tls-unavailable': ['454 4.7.0 TLS not available due to temporary reason'],
  'closing-421': [
    '421 4.3.2 Service not available, closing transmission channel',
    '421 Too many concurrent SMTP connections from this IP address; please try again later.',
  ],
};
