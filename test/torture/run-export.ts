import {mkdirSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import type {Sandbox} from '../../src/sandbox/server.js'
import {type Ran, startBinary} from '../support/run-binary.js'
import {range} from './whole-exports.js'

/** Where a run is killed: at a point as `export-points.cjs` counts them, or after a time. */
export type Kill = {point: number} | {milliseconds: number}

export type ExportRun = {
  sandbox: Pick<Sandbox, 'url' | 'apiKey' | 'username' | 'password'>
  /** The folder of the file, and of all that the program keeps. */
  home: string
  name: string
  words: readonly string[]
  kill?: Kill
}

const crashPoints = fileURLToPath(new URL('export-points.cjs', import.meta.url))

/** The export by the built program. */
export async function runExportOnce({sandbox, home, name, words, kill}: ExportRun): Promise<Ran> {
  mkdirSync(join(home, 'state'), {recursive: true})
  const dates = ['--start', range.start, '--end', range.end]
  const running = startBinary(['reports', 'transactions', ...dates, '--output-file', join(home, name), ...words], {
    environment: {
      HOME: join(home, 'state'),
      XDG_CONFIG_HOME: join(home, 'state', 'config'),
      XDG_STATE_HOME: join(home, 'state'),
      VENDORCTL_BASE_URL: sandbox.url,
      VENDORCTL_API_KEY: sandbox.apiKey,
      VENDORCTL_USERNAME: sandbox.username,
      VENDORCTL_PASSWORD: sandbox.password,
      NODE_OPTIONS: `--require ${JSON.stringify(crashPoints)}`,
      ...(kill && 'point' in kill && {CRASH_AT: String(kill.point)}),
    },
  })
  const timer =
    kill && 'milliseconds' in kill ? setTimeout(() => running.child.kill('SIGKILL'), kill.milliseconds) : undefined
  return running.ended.finally(() => clearTimeout(timer))
}
