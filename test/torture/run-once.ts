import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import type {Sandbox} from '../../src/sandbox/server.js'
import {type Ran, startBinary} from '../support/run-binary.js'

/** Where a run is killed: at a point as `crash-points.cjs` counts them, or after a time. */
export type Kill = {point: number} | {milliseconds: number}

/** The service, and how to log in. */
type Door = Pick<Sandbox, 'url' | 'apiKey' | 'username' | 'password'>

const crashPoints = fileURLToPath(new URL('crash-points.cjs', import.meta.url))

/** Runs the built program in a home, where all is that it keeps, and kills it if asked to. */
export async function runOnce(door: Door, words: readonly string[], home: string, kill?: Kill): Promise<Ran> {
  const running = startBinary(words, {
    cwd: home,
    environment: {
      HOME: home,
      XDG_STATE_HOME: join(home, 'state'),
      XDG_CONFIG_HOME: join(home, 'config'),
      VENDORCTL_BASE_URL: door.url,
      VENDORCTL_API_KEY: door.apiKey,
      VENDORCTL_USERNAME: door.username,
      VENDORCTL_PASSWORD: door.password,
      ...(kill &&
        'point' in kill && {
          NODE_OPTIONS: `--require ${JSON.stringify(crashPoints)}`,
          CRASH_AT: String(kill.point),
        }),
    },
  })
  const timer =
    kill && 'milliseconds' in kill ? setTimeout(() => running.child.kill('SIGKILL'), kill.milliseconds) : undefined
  return running.ended.finally(() => clearTimeout(timer))
}
