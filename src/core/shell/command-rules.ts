import { isDeviceWrite, isForeign, isHomeOrRoot, isSecret, isStartup } from './command-paths.ts';
import { getOperands, hasOption, type ShellCommand, UNKNOWN } from './shell-command.ts';

export interface CommandRule {
  readonly rule: string;
  /** A reason in words, or null; the command's name is the program's, without its path. */
  readonly find: (command: ShellCommand) => string | null;
}

/** What is worth telling about a command, one rule after the other. */
export const COMMAND_RULES: readonly CommandRule[] = [
  { rule: 'delete', find: findDelete },
  { rule: 'device', find: findDevice },
  { rule: 'privilege', find: findPrivilege },
  { rule: 'startup', find: findStartup },
  { rule: 'foreign-write', find: findForeignWrite },
  { rule: 'fetched-code', find: findFetchedCode },
  { rule: 'inline-code', find: findInlineCode },
  { rule: 'secret', find: findSecret },
  { rule: 'publish', find: findPublish },
  { rule: 'upload', find: findUpload },
  { rule: 'machine', find: findMachine },
];

function findDelete(command: ShellCommand): string | null {
  const { name } = command;
  const operands = getOperands(command);
  const isDelete =
    (name === 'rm' && hasOption(command, 'rR', '--recursive')) ||
    (name === 'find' && command.args.includes('-delete')) ||
    ['shred', 'srm', 'unlink', 'rmdir', 'truncate'].includes(name);
  if (isDelete && operands.some(path => isForeign(path))) return `${name} reaches outside the worktree`;
  if (name === 'mv' && operands.slice(0, -1).some(isHomeOrRoot)) return 'mv takes files of yours away';
  return null;
}

function findDevice({ name, args, writes }: ShellCommand): string | null {
  if (writes.some(isDeviceWrite)) return 'it writes to a device';
  if (name === 'dd' && args.some(arg => arg.startsWith('of=/dev/') && isDeviceWrite(arg.slice(3))))
    return 'dd writes to a device';
  if (/^(mkfs(\..+)?|mke2fs|wipefs|fdisk|sfdisk|parted|mkswap|blkdiscard|cryptsetup|lvremove)$/.test(name))
    return `${name} changes a disk`;
  return null;
}

function findPrivilege(command: ShellCommand): string | null {
  const { name, args } = command;
  if (/^(sudo|su|doas|pkexec|runuser|setcap|visudo|passwd|usermod|useradd)$/.test(name))
    return `${name} asks for more rights`;
  if (name === 'chmod' && args.some(arg => /^[ugoa]*\+[rwx]*s|^[2467][0-7]{3}$/.test(arg)))
    return 'chmod lets others run a program with your rights';
  if ((name === 'chmod' || name === 'chown') && getOperands(command).slice(1).some(isHomeOrRoot))
    return `${name} changes files outside the worktree`;
  return null;
}

function findStartup({ name, args, writes }: ShellCommand): string | null {
  const first = args.find(arg => !arg.startsWith('-'));
  if (name === 'crontab' && !args.includes('-l')) return 'crontab starts something later';
  if (/^(at|batch|systemd-run|update-rc\.d|launchctl)$/.test(name)) return `${name} starts something later`;
  if (name === 'systemctl' && /^(enable|start|edit|link|daemon-reload|mask|stop)$/.test(first ?? ''))
    return 'systemctl changes services of the machine';
  if (name === 'git' && first === 'config' && args.includes('--global'))
    return 'it changes your own git settings';
  if (
    name === 'git' &&
    args.some(arg => /^(core\.hooksPath|core\.fsmonitor|alias\..*=!|credential\.)/i.test(arg))
  )
    return 'it makes git run something';
  const written = [...writes, ...(WRITERS.has(name) ? args : [])];
  return written.some(isStartup) ? 'it writes a file that is run at start-up or by git' : null;
}

/** Programs whose operands are written to. */
const WRITERS = new Set(['tee', 'cp', 'mv', 'install', 'ln', 'rsync', 'truncate', 'touch']);

function findForeignWrite(command: ShellCommand): string | null {
  const target = getOperands(command).at(-1) ?? '';
  if (command.writes.some(path => isHomeOrRoot(path) && !isDeviceWrite(path)))
    return 'it writes outside the worktree';
  if (command.name === 'tee' && getOperands(command).some(isHomeOrRoot))
    return 'tee writes outside the worktree';
  if (/^(cp|mv|install|ln)$/.test(command.name) && isHomeOrRoot(target))
    return `${command.name} writes outside the worktree`;
  if (command.name === 'sed' && hasOption(command, 'i', '--in-place') && isHomeOrRoot(target))
    return 'sed changes a file outside the worktree';
  return null;
}

const INTERPRETER = /^(ba|z|da|k|fi|c|tc)?sh$|^(python|perl|ruby|node|php|lua|deno|bun)[\d.]*$/;
const FETCHER = /^(curl|wget|fetch|aria2c|nc|ncat|socat|http|https|lynx|ftp)$/;

function findFetchedCode({ name, fedBy, args }: ShellCommand): string | null {
  const isRun = INTERPRETER.test(name) || name === 'eval' || name === 'source' || name === '.';
  if (!isRun) return null;
  if (fedBy.some(feeder => FETCHER.test(feeder))) return 'it runs code straight from the network';
  if (fedBy.some(feeder => /^(base64|base32|xxd|openssl|gunzip|zcat|rev|tr|printf|echo)$/.test(feeder)))
    return 'it runs code that was hidden in other text';
  const isDynamic = (name === 'eval' || args[0] === '-c') && args.some(arg => arg.includes(UNKNOWN));
  return isDynamic ? 'it runs code that is only known when it runs' : null;
}

function findInlineCode({ name, args }: ShellCommand): string | null {
  if (!INTERPRETER.test(name) || /sh$/.test(name)) return null;
  const at = args.findIndex(arg => /^-[a-z]*[ceEr]$/.test(arg) || arg === '--eval');
  const code = at < 0 ? '' : args.slice(at + 1).join(' ');
  const DANGER =
    /rmtree|os\.(system|popen|remove|unlink|exec)|subprocess|child_process|rmSync|rmdirSync|unlinkSync|\bexec\s*\(|\bsystem\s*[("']|`[^`]*`|\bunlink\b|socket|urlopen|requests\.|fetch\(/;
  return DANGER.test(code) ? `${name} is given code that starts programs, deletes or connects` : null;
}

function findSecret(command: ShellCommand): string | null {
  const { name, args } = command;
  const words = args.map(arg => arg.replace(/^@|^[\w-]+=@?/, ''));
  if (words.some(isSecret)) return 'it touches credentials';
  const [first, second] = getOperands(command);
  if (name === 'gh' && first === 'auth' && second !== 'status') return 'gh hands out a token';
  if (name === 'git' && first === 'credential') return 'git hands out a password';
  if (name === 'security' && /find-(generic|internet)-password/.test(first ?? ''))
    return 'it reads the keychain';
  if (/^(secret-tool|pass|op|keyctl|vault|kwallet-query)$/.test(name))
    return `${name} reads a password store`;
  if (name === 'gcloud' && args.join(' ').includes('print-access-token')) return 'gcloud hands out a token';
  if (name === 'aws' && first === 'configure') return 'aws shows or changes credentials';
  return null;
}

function findPublish(command: ShellCommand): string | null {
  const { name } = command;
  const line = getOperands(getWithoutValues(command)).slice(0, 2).join(' ');
  const known = PUBLISHERS[name];
  return known?.test(line) ? `${name} ${line} puts something where others see it` : null;
}

/** Without the options that take the next word, so that the first operand is the subcommand. */
function getWithoutValues(command: ShellCommand): ShellCommand {
  const isValue = (index: number): boolean =>
    /^(-[Cc]|--git-dir|--work-tree|--prefix|-R|--repo)$/.test(command.args[index - 1] ?? '');
  return { ...command, args: command.args.filter((_, index) => !isValue(index)) };
}

const PUBLISHERS: Readonly<Record<string, RegExp>> = {
  git: /^(push\b|remote (add|set-url)|send-email)/,
  gh: /^(pr (create|merge|close|comment|edit)|release|repo (create|delete|edit)|issue (create|close|comment)|secret|gist|workflow run|api\b)/,
  npm: /^(publish|unpublish|deprecate|login|adduser|token|owner|access)\b/,
  pnpm: /^(publish|login)\b/,
  yarn: /^(publish|npm publish|login)\b/,
  cargo: /^(publish|yank|login|owner)\b/,
  twine: /^upload\b/,
  poetry: /^publish\b/,
  gem: /^(push|yank|signin)\b/,
  docker: /^(push|login)\b/,
  terraform: /^(apply|destroy)\b/,
  kubectl: /^(apply|delete|exec|create|edit|scale)\b/,
  helm: /^(install|upgrade|uninstall)\b/,
  vercel: /^(deploy|--prod)?/,
  fly: /^deploy/,
  aws: /^(s3 (cp|rm|sync|mv)|ec2|iam)\b/,
};

function findUpload(command: ShellCommand): string | null {
  const { name, args } = command;
  const operands = getOperands(command);
  if (/^(ssh|scp|sftp|telnet|nc|ncat|socat|rclone)$/.test(name)) return `${name} talks to another machine`;
  if (name === 'rsync' && operands.some(path => /^[^/]+:/.test(path)))
    return 'rsync talks to another machine';
  const isSending =
    (name === 'curl' && hasOption(command, 'TF', '--upload-file', '--form')) ||
    (name === 'curl' && args.some(arg => /^(@|--data(-binary|-raw|-urlencode)?=@)/.test(arg))) ||
    (name === 'wget' && hasOption(command, '', '--post-file', '--body-file'));
  return isSending && !operands.some(isLocal) ? `${name} sends a file away` : null;
}

function isLocal(url: string): boolean {
  return /^(https?:\/\/)?(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:|\/|$)/.test(url);
}

function findMachine(command: ShellCommand): string | null {
  const { name, args } = command;
  if (/^(shutdown|reboot|halt|poweroff|init|telinit|kexec)$/.test(name)) return `${name} stops the machine`;
  if (/^(killall|pkill|skill)$/.test(name)) return `${name} may end processes that are not its own`;
  if (name === 'kill' && args.some(arg => arg === '-1' || arg === '1') && args.at(-1)?.match(/^-?1$/))
    return 'kill ends every process';
  if (
    /^(mount|umount|swapoff|insmod|modprobe|rmmod|sysctl|iptables|nft|ip6tables|ufw|nsenter|unshare|chroot|pivot_root|losetup|bwrap|debugfs)$/.test(
      name,
    )
  )
    return `${name} changes how the machine runs`;
  const isWide =
    /^(-v|--volume|--mount)?=?(type=bind,(src|source)=)?\/(:|,|$)|docker\.sock|^--privileged$|^--pid=host$/;
  if (/^(docker|podman|nerdctl)$/.test(name) && args.some(arg => isWide.test(arg)))
    return `${name} opens the whole machine to a container`;
  const isBomb = args.length === 0 && command.fedBy.includes(name) && !/^(cat|sort|uniq|tac|rev)$/.test(name);
  return isBomb ? 'it starts itself again and again' : null;
}
