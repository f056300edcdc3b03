import { assertNever } from '../result.ts';
import type { TroubleTexts } from './check-trouble.ts';

/** One thing to do where the server itself makes no sense. */
const ASK = '请向邮箱服务商或公司询问发件服务器、端口和加密方式。';

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;

/** Rounded up, so that nobody comes back too early. */
function waitWords(waitMs: number): string {
  const minutes = Math.ceil(waitMs / MINUTE_MS);
  if (minutes === 15) return '一刻钟';
  return minutes < 60 ? ` ${minutes} 分钟` : ` ${Math.ceil(minutes / 60)} 小时`;
}

export const CHECK_TROUBLE_ZH: TroubleTexts = (trouble, { host, port, provider }) => {
  const server = `${host} 端口 ${port}`;
  const others = provider?.otherServers ?? [];
  switch (trouble.kind) {
    case 'name-unknown':
      return { text: `找不到名为 ${host} 的邮件服务器。`, next: '请检查本机是否联网、服务器名称是否正确，然后重试。' };
    case 'no-answer':
      return {
        text: `${server} 没有响应。`,
        next: '请检查服务器名称和端口；若填写无误，可能被防火墙拦截，请换一个网络或询问公司。',
      };
    case 'too-slow':
      return { text: `${host} 响应太慢。`, next: '请过几分钟再试，或换一个网络。' };
    case 'dropped':
      return {
        text: `${host} 立即断开了连接。`,
        next: '请检查端口与加密方式是否对应：465 用 TLS，587 用 STARTTLS。',
      };
    case 'dropped-at-login':
      return {
        text: `${host} 在登录过程中断开了连接。`,
        next: '请等待十分钟后再试一次：多次登录失败后部分服务商会这样做。',
      };
    case 'intercepted':
      return {
        text: `${trouble.by} 代替 ${host} 作出了响应，会读取您的密码和邮件。`,
        next: `请在 ${trouble.by} 中关闭对加密邮件的扫描，或向公司索取其证书文件并设为此账户信任的证书。`,
      };
    case 'certificate-expired':
      return {
        text: `按本机日期，${host} 的证书无效（由 ${trouble.issuer} 签发，有效期至 ${new Intl.DateTimeFormat('zh-CN', { dateStyle: 'long' }).format(trouble.validToMs)}）。`,
        next: '请检查本机日期；日期无误时请告知邮件服务器的管理者。',
      };
    case 'certificate-other-name':
      return {
        text: `作出响应的服务器不是 ${host}，其证书属于 ${trouble.names.slice(0, 3).join('、') || '其他名称'}。`,
        next: '若服务商确实使用证书中的名称，请将其填为服务器名称；否则请询问公司。',
      };
    case 'certificate-untrusted':
      return {
        text: `${host} 的证书由 ${trouble.issuer} 签发，本机不认识该机构，连接可能被窃听。`,
        next: '若服务器由公司自己运行，请索取证书文件并设为此账户信任的证书；否则请换一个网络。',
      };
    case 'certificate-refused':
      return { text: `无法检查 ${host} 的证书。`, next: '请检查此账户指定的证书文件，或换一个网络。' };
    case 'not-protected':
      return {
        text: `${server} 不提供加密连接，本程序不会在未加密时发送密码。`,
        next: '请使用端口 465（TLS）或端口 587（STARTTLS）。',
      };
    case 'no-password-login':
      return { text: `${host} 不接受密码登录。`, next: provider === null ? ASK : provider.steps['zh-CN'] };
    case 'browser-only':
      return {
        text: `${provider?.name['zh-CN'] ?? host} 不接受邮件程序使用密码，只能通过浏览器登录。`,
        next: '请让公司为本程序设置此登录（客户端 ID），或换用其他邮箱。',
      };
    case 'no-sign-in-client':
      return {
        text: `公司尚未为本程序设置 ${host} 登录。`,
        next: '请让公司设置（客户端 ID），或在服务商允许时使用密码。',
      };
    case 'no-sign-in-at-server':
      return {
        text: `${host} 不接受浏览器登录。`,
        next: '请确认这是您所登录的服务商的邮件服务器，或改用密码。',
      };
    case 'sign-in-refused':
      return { text: `${host} 未给予授权。`, next: '请重新登录，并同意页面上的请求。' };
    case 'sign-in-client-refused':
      return {
        text: `${host} 不接受公司为本程序设置的客户端 ID。`,
        next: '请让公司检查客户端 ID 及其邮件权限。',
      };
    case 'sign-in-not-lasting':
      return {
        text: `${host} 给予的授权一小时内就会失效。`,
        next: '请让公司允许本程序长期访问（offline access）。',
      };
    case 'sign-in-unreachable':
      return { text: `${host} 的登录服务没有响应。`, next: '请检查网络和代理设置，然后重新登录。' };
    case 'sign-in-late':
      return { text: '登录未及时完成。', next: '请重新登录。' };
    case 'no-browser':
      return { text: '无法打开本机的浏览器。', next: '请在系统设置中选择默认浏览器，然后重新登录。' };
    case 'sign-in-again':
      return { text: '您之前的授权已失效。', next: '请重新登录。' };
    case 'token-refused':
      return {
        text: `${host} 拒绝了此次登录。`,
        next: '请用您邮件地址对应的邮箱登录。如已如此，可能需要公司为该邮箱允许邮件程序发信。',
      };
    case 'login-refused':
      return provider === null
        ? {
            text: `${host} 拒绝了登录。`,
            next: '请检查用户名和密码。许多服务商要求使用授权码或应用专用密码，可在邮箱设置中生成。',
          }
        : {
            text: `${provider.name['zh-CN']}拒绝了登录，此处需要${provider.secret['zh-CN']}。`,
            next: provider.steps['zh-CN'],
          };
    case 'service-off':
      return {
        text: `${provider?.name['zh-CN'] ?? host}尚未为此邮箱开启客户端收发信服务。`,
        next: provider?.steps['zh-CN'] ?? '请在浏览器中打开邮箱设置，开启 IMAP 和 SMTP 服务。',
      };
    case 'sign-in-first':
      return {
        text: `${provider?.name['zh-CN'] ?? host}要求先在浏览器中登录，才允许本机使用。`,
        next: '请在本机用浏览器登录邮箱，确认是您本人操作，然后重新检查。',
      };
    case 'sending-switched-off':
      return {
        text: '您的邮箱未开启通过邮件程序发信的功能。',
        next: '请邮箱管理员为此邮箱开启“经过身份验证的 SMTP”。',
      };
    case 'locked-by-policy':
      return {
        text: '贵公司的安全规则不允许邮件程序使用此邮箱。',
        next: '请邮箱管理员允许此邮箱通过邮件程序发信。',
      };
    case 'network-not-allowed':
      return {
        text: `${host} 只允许此邮箱从指定网络登录，当前网络不在其中。`,
        next: '请邮箱管理员允许当前网络，或到公司网络中重新检查。',
      };
    case 'other-server':
      return {
        text: `您的邮箱不在 ${host} 上，而在同一服务商的另一台服务器上。`,
        next:
          others.length === 0
            ? ASK
            : `请将邮件服务器改为 ${others.map((one) => `${one.host}（端口 ${one.port}）`).join(' 或 ')}。`,
      };
    case 'busy':
      return {
        text: `${host} 暂时不接受此账户的请求。`,
        next: `请等待${waitWords(trouble.waitMs ?? QUARTER_MS)}后再试；频繁尝试会延长限制。`,
      };
    case 'turned-away':
      return {
        text: `${host} 在登录前就拒绝了本机。`,
        next: '请换一个网络，并关闭 VPN 或代理；仍不行时请询问服务商。',
      };
    case 'sender-refused':
      return { text: '登录成功，但服务器不允许此账户使用您的地址发信。', next: '请将邮箱地址改为登录账户所属的地址。' };
    case 'test-mail-refused':
      return {
        text: '登录成功，但服务器没有接收测试邮件。',
        next: '请在浏览器中打开邮箱，查看发信是否被限制，然后重试。',
      };
    case 'test-mail-uncertain':
      return { text: '测试邮件已发出，但服务器没有确认是否接收。', next: '请查看收件箱中是否收到，然后重新检查。' };
    case 'address-letters':
      return { text: `${host} 不支持您地址中的字符。`, next: '请使用 @ 之前为拉丁字母的地址。' };
    case 'no-password':
      return { text: '无法读取已保存的密码。', next: '请重新输入。' };
    case 'no-mail-server':
      return { text: `${server} 的响应不像邮件服务器。`, next: ASK };
    case 'proxy-unreachable':
      return { text: '本机使用的代理没有响应。', next: '请在设置中检查代理的主机名和端口。' };
    case 'proxy-login':
      return { text: '本机使用的代理拒绝了登录。', next: '请在设置中填写代理的用户名和密码。' };
    case 'proxy-refused':
      return {
        text: `本机使用的代理不允许连接 ${server}。`,
        next: '请在设置中选择邮件不经过代理，或询问网络管理员。',
      };
    case 'stopped':
      return { text: '检查已停止。', next: '可随时重新开始。' };
    case 'unclear':
      return { text: `与 ${host} 的连接没有成功。`, next: '请检查网络和代理设置，然后重试。' };
    default:
      return assertNever(trouble);
  }
};
