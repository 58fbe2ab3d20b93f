import { UNKNOWN } from './shell-command.ts';

/** Whether a path leads out of the worktree for deleting: up, home, the root, or an unset variable's root. */
export function isForeign(path: string): boolean {
  if (path === UNKNOWN || path.startsWith(`${UNKNOWN}/*`) || path === `${UNKNOWN}/`) return true;
  if (/^\.\.?\/?$/.test(path) || path === '*/..') return path.startsWith('..');
  return isHomeOrRoot(path) || /(^|\/)\.\.(\/|$)/.test(path) || /^\.git(\/|$)|^\.harness(\/|$)/.test(path);
}

/** An absolute path or one in the home folder; places for passing things are everybody's. */
export function isHomeOrRoot(path: string): boolean {
  if (/^\/(tmp|var\/tmp)\/[^.]/.test(path) || isHarmlessDevice(path)) return false;
  return path.startsWith('/') || path === '~' || path.startsWith('~/') || /^~\w*$/.test(path);
}

/** A device that is more than a sink. */
export function isDeviceWrite(path: string): boolean {
  return path.startsWith('/dev/') && !isHarmlessDevice(path);
}

/** Where everybody sends output without writing a device. */
export function isHarmlessDevice(path: string): boolean {
  return /^\/dev\/(null|zero|stdout|stderr|stdin|tty|full|u?random|fd\/.*|shm\/.*)$/.test(path);
}

/** Files that something else runs: shells, schedulers, git, package managers, agents. */
export function isStartup(path: string): boolean {
  return STARTUP.test(path);
}

const STARTUP =
  /(^|\/)\.(bashrc|bash_profile|bash_login|profile|zshrc|zshenv|zprofile|gitconfig|npmrc|pythonrc)$|\.config\/(autostart|systemd|fish|git)\/|\.git\/(hooks\/|config$)|\/cron|^\/etc\/|\.ssh\/(authorized_keys|config|rc)|\.claude\/(settings|hooks)|\.codex\/config|LaunchAgents/;

/** Where passwords, keys and tokens are kept. */
export function isSecret(path: string): boolean {
  return SECRET.test(path);
}

const SECRET =
  /(^|\/)(\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.docker|\.password-store|\.mozilla|\.1password)(\/|$)|\.config\/(gh|gcloud|hub|op|google-chrome|chromium|BraveSoftware)(\/|$)|(^|\/)(\.netrc|\.git-credentials|\.npmrc|\.pypirc|\.pgpass|\.vault-token|id_(rsa|ed25519|ecdsa|dsa)|\.claude\/\.credentials\.json|\.codex\/auth\.json)$|^\/etc\/(shadow|gshadow|sudoers)|^\/proc\/[^/]+\/(environ|mem|root|fd)|keyrings?\/|docker\.sock|(^|\/)\.harness(\/|$)/;
