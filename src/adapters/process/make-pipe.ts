import { execFile } from 'node:child_process';

/** A named pipe that only this user can open; false where the system makes none. */
export function makePipe(path: string): Promise<boolean> {
  return new Promise(resolve => {
    execFile('mkfifo', ['-m', '600', path], error => resolve(error === null));
  });
}
