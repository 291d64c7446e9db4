import {type SpawnSyncReturns, spawnSync} from 'node:child_process'
import {chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {runInProcess} from './in-process/program.js'
import {findFiles} from './readme.js'

const program = fileURLToPath(new URL('../../bin/run.js', import.meta.url))

/** A folder in which the commands of a document are run as a reader would, with the files that it shows. */
export type DocumentFolder = {
  path: string
  run: (line: string, environment?: Record<string, string>) => SpawnSyncReturns<string>
  /** The same; a line that is one command and needs no shell runs in this process. */
  runLine: (line: string, environment?: Record<string, string>) => Promise<{status: number | null; stderr: string}>
  /** Stops the sandbox and removes the folder. */
  close: () => void
}

export function createDocumentFolder(markdown: string): DocumentFolder {
  const path = mkdtempSync(join(tmpdir(), 'vendorctl-document-'))
  const bin = join(path, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'vendorctl'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`)
  chmodSync(join(bin, 'vendorctl'), 0o755)
  for (const {name, text} of findFiles(markdown)) writeFileSync(join(path, name), text.replaceAll('/srv/reports', path))
  const clean = {
    PATH: `${bin}:${process.env['PATH']}`,
    HOME: path,
    XDG_CONFIG_HOME: join(path, 'config'),
    XDG_STATE_HOME: join(path, 'state'),
    XDG_CACHE_HOME: join(tmpdir(), 'vendorctl-test-compile-cache'), // a stopped sandbox may still write there
    VENDORCTL_NO_INPUT: 'true',
    VENDORCTL_JOBS_FILE: join(path, 'jobs.yaml'),
  }
  const run = (line: string, environment: Record<string, string> = {}) =>
    spawnSync('sh', ['-c', line], {cwd: path, env: {...clean, ...environment}, encoding: 'utf8'})
  return {
    path,
    run,
    async runLine(line, environment = {}) {
      const words = toArguments(line)
      if (words === undefined) return run(line, environment)
      const {exitCode, stderr} = await runInProcess(words, {cwd: path, environment: {...clean, ...environment}})
      return {status: exitCode, stderr}
    },
    close() {
      run('vendorctl sandbox stop')
      rmSync(path, {recursive: true, force: true})
    },
  }
}

/** Characters that mean nothing to a shell, and quoted texts without anything to expand. */
const plainWord = /(?:[\w./:,=@%+{}-]|'[^']*'|"[^"$`\\]*")+/g

/** The words of a line that is one plain command of the program; undefined for what needs a shell. */
function toArguments(line: string): string[] | undefined {
  if (line.replace(plainWord, '').trim() !== '') return undefined
  const [program, ...words] = line.match(plainWord) ?? []
  if (program !== 'vendorctl' || words[0] === 'sandbox') return undefined
  return words.map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'))
}
