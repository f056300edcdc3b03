/**
 * Programs and devices that read encrypted connections: they answer in the server's place with a certificate of their
 * own, whose issuer bears their name. Each pattern is looked for in the issuer.
 */
const INTERCEPTORS: readonly (readonly [RegExp, string])[] = [
  [/\bavast\b/i, 'Avast'],
  [/\bavg\b/i, 'AVG'],
  [/kaspersky/i, 'Kaspersky'],
  [/\beset\b/i, 'ESET'],
  [/bitdefender/i, 'Bitdefender'],
  [/norton|symantec web (security|filter)/i, 'Norton'],
  [/mcafee|trellix|skyhigh/i, 'McAfee'],
  [/dr\.?\s?web\b|doctor web/i, 'Dr.Web'],
  [/g\s?data (antivirus|mail|web|ca)/i, 'G DATA'],
  [/f-secure|withsecure/i, 'F-Secure'],
  [/trend micro/i, 'Trend Micro'],
  [/\bpanda (security|dome)\b/i, 'Panda'],
  [/adguard/i, 'AdGuard'],
  [/火绒|huorong/i, '火绒'],
  [/360(安全|safe|杀毒)|qihoo|奇虎/i, '360'],
  [/qi[\s-]?an[\s-]?xin|奇安信/i, '奇安信'],
  [/sangfor|深信服/i, '深信服 (Sangfor)'],
  [/腾讯电脑管家|tencent (pc manager|ioa)/i, '腾讯电脑管家'],
  [/topsec|天融信/i, '天融信 (Topsec)'],
  [/nsfocus|绿盟/i, '绿盟 (NSFOCUS)'],
  [/fortinet|fortigate|forticlient/i, 'Fortinet'],
  [/zscaler/i, 'Zscaler'],
  [/netskope|goskope/i, 'Netskope'],
  [/palo alto/i, 'Palo Alto Networks'],
  [/check\s?point/i, 'Check Point'],
  [/sophos/i, 'Sophos'],
  [/forcepoint|websense/i, 'Forcepoint'],
  [/blue\s?coat|broadcom proxysg/i, 'Blue Coat'],
  [/cisco (umbrella|ironport|secure web)|opendns/i, 'Cisco'],
  [/barracuda/i, 'Barracuda'],
  [/watchguard/i, 'WatchGuard'],
  [/sonicwall/i, 'SonicWall'],
  [/untangle/i, 'Untangle'],
  [/fiddler/i, 'Fiddler'],
  [/charles proxy/i, 'Charles'],
  [/mitmproxy/i, 'mitmproxy'],
  [/portswigger/i, 'Burp'],
];

/** The name of the program or device that signed a certificate in a server's place; null where the issuer is none of them. */
export const interceptorOf = (issuer: string): string | null =>
  INTERCEPTORS.find(([pattern]) => pattern.test(issuer))?.[1] ?? null;
