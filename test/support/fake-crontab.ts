import {chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

/** A crontab program in a folder, as that of Debian behaves, and the crontab that it keeps. */
export type FakeCrontab = {
  /** For PATH, before all others: the folder `bin`. */
  bin: string
  read: () => Buffer
  write: (text: string | Buffer) => void
}

export function createFakeCrontab(folder: string): FakeCrontab {
  const [bin, file] = [join(folder, 'bin'), join(folder, 'crontab of the test')]
  mkdirSync(bin, {recursive: true})
  const script = `#!/bin/sh
case "$1" in
-l) [ -f '${file}' ] || { echo "no crontab for $LOGNAME" >&2; exit 1; }; cat '${file}' ;;
-) cat > '${file}' ;;
esac
`
  writeFileSync(join(bin, 'crontab'), script)
  chmodSync(join(bin, 'crontab'), 0o755)
  return {
    bin,
    read: () => (existsSync(file) ? readFileSync(file) : Buffer.alloc(0)),
    write: (text) => writeFileSync(file, text),
  }
}

/** Runs the line of a crontab as cron would, with nothing else in the environment: the arguments of `sh`. */
export function toShell(line: string): string[] {
  return ['-c', line.replace(/^(\S+ ){5}/, '').replaceAll('\\%', '%')]
}
