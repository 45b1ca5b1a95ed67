// The functions of script languages that matter: where private or foreign values come from, and where values end up.
//
// Names are compared with the full dotted name, with the module put in for an alias; those of methods with the end of the name.
import type { Sink } from '../facts.ts';
import type { Taint } from '../taint.ts';

/** What a call or a name gives. */
const sources: readonly (readonly [RegExp, Taint])[] = [
  [
    /^(?:open|io\.open|fs\.(?:readFileSync|readFile|createReadStream)|fs\.promises\.readFile|fs\/promises\.readFile|File\.read|file_get_contents|Get-Content|readFileSync|readFile|os\.(?:ReadFile|Open)|ioutil\.ReadFile|Files\.(?:readString|readAllBytes|readAllLines|lines|newInputStream)|File\.(?:ReadAllText|ReadAllBytes))$|\.(?:read_text|read_bytes)$/,
    'content',
  ],
  [
    /^(?:socket\.gethostname|platform\.(?:node|uname|platform)|os\.(?:hostname|userInfo|uname|getlogin|networkInterfaces)|getpass\.getuser)$/,
    'system',
  ],
  [
    /^(?:pyperclip\.paste|clipboardy?\.(?:read|readSync)|navigator\.clipboard\.readText|Get-Clipboard|win32clipboard\.\w+)$/i,
    'clipboard',
  ],
  [/^keyring\.get_password$|^keytar\.(?:getPassword|findCredentials)$/, 'keychain'],
  [/^browser_?cookie3?\.\w+$|^win32crypt\.CryptUnprotectData$/, 'browser'],
  [
    /^(?:base64\.\w*b?\d*decode\w*|bytes\.fromhex|bytearray\.fromhex|binascii\.(?:unhexlify|a2b_\w+)|codecs\.decode|zlib\.(?:decompress|inflate\w*|gunzip\w*|unzip\w*|brotliDecompress\w*)|gzip\.decompress|bz2\.decompress|lzma\.decompress|marshal\.loads|pickle\.loads|dill\.loads|atob|String\.fromCharCode|String\.fromCodePoint|crypto\.createDecipheriv|gzinflate|gzuncompress|base64_decode|str_rot13|Base64\.(?:strict_|urlsafe_)?decode64|MIME::Base64::decode|decode_base64|unescape|chr)$/,
    'decoded',
  ],
  [
    /(?:^|[.:])(?:FromBase64String|decrypt|decryptSync|b64decode|fromCharCode|unhexlify|a85decode|b85decode|b32decode)$/,
    'decoded',
  ],
  [
    /^(?:requests|httpx)\.(?:get|post|request|put)$|^urllib2?\.(?:request\.)?urlopen$|^urllib\.request\.(?:urlretrieve|urlopen)$|^(?:fetch|axios|got|needle|superagent)$|^(?:axios|got|superagent|needle)\.(?:get|post|request)$|^https?\.(?:get|request)$|^(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm|curl|wget|URI\.open|Net::HTTP\.get)$/i,
    'network',
  ],
  [/(?:^|[.:])(?:DownloadString|DownloadData|DownloadFile)$/, 'network'],
];

const networkSinks =
  /^(?:requests|httpx|session|client|http_client|aiohttp)\.(?:post|put|patch|get|request|stream)$|^urllib2?\.(?:request\.)?(?:urlopen|Request)$|^(?:fetch|axios|got|needle|superagent|\$\.(?:ajax|post|get)|node-fetch|Invoke-WebRequest|Invoke-RestMethod|iwr|irm)$|^(?:axios|got|superagent|needle)\.(?:post|put|patch|request|get)$|^https?\.(?:request|get)$|(?:^|[.:])(?:sendall|sendto|sendmail|send_message|sendMail|sendBeacon|PostForm|NewRequest|NewRequestWithContext|BodyPublishers\.\w+|PostAsync|PutAsync|UploadStringTaskAsync|storbinary|UploadString|UploadData|UploadFile|upload_file|upload_fileobj|urlopen|post)$/i;
/** Only in a script that opens connections itself. */
const connectionSinks = /\.(?:send|write|end|emit|request|put|publish)$/;
export const connectionModules =
  /^(?:socket|net|tls|dgram|ws|http|https|http\.client|ftplib|paramiko|smtplib|websocket|websockets|WebSocket|XMLHttpRequest|asyncio)$/;
const lookupSinks =
  /^(?:socket\.(?:gethostbyname|getaddrinfo)|dns\.(?:resolve\w*|lookup)|dns\.resolver\.\w+|Resolve-DnsName|gethostbyname)$/;

/** What runs its argument as a program of the same language. */
export const evaluators =
  /^(?:eval|exec|execfile|builtins\.(?:eval|exec)|__builtins__\.(?:eval|exec)|Function|vm\.(?:runIn\w+|Script)|Invoke-Expression|iex|instance_eval|class_eval|assert|create_function|set(?:Timeout|Interval)|new Function|window\.eval|globalThis\.eval|global\.eval)$/i;
/** What runs its argument as a command of the shell. */
export const shells =
  /^(?:os\.(?:system|popen|exec\w*|spawn\w*|startfile)|subprocess\.(?:run|Popen|call|check_call|check_output|getoutput|getstatusoutput)|commands\.getoutput|child_process\.(?:exec|execSync|spawn|spawnSync|execFile|execFileSync|fork)|execa\w*|shelljs\.exec|Deno\.Command|Bun\.spawn|system|shell_exec|passthru|popen|proc_open|Kernel\.(?:system|exec)|Open3\.\w+|Start-Process|pty\.spawn|asyncio\.create_subprocess_(?:shell|exec))$/;

export function sourceOf(name: string): Taint | null {
  for (const [pattern, taint] of sources) if (pattern.test(name)) return taint;
  return null;
}

export function sinkOf(name: string, connects: boolean): Sink | null {
  if (evaluators.test(name)) return 'execute';
  if (lookupSinks.test(name)) return 'lookup';
  if (networkSinks.test(name)) return 'network';
  return connects && connectionSinks.test(name) ? 'network' : null;
}
