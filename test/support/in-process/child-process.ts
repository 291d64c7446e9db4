import * as real from 'node:child_process'
import {promisify} from 'node:util'
import type {OwnProcess} from './own-process.js'

type Options = real.SpawnOptions & {stdio?: unknown}
type Call = (file: string, ...rest: unknown[]) => unknown

/** `node:child_process` for a run: children have its environment, its working folder and its streams. */
export function createChildProcess(own: OwnProcess): typeof real {
  const toOptions = (options: Options): Options => ({cwd: own.process.cwd(), env: own.process.env, ...options})
  const withOwn =
    (call: Call): Call =>
    (file, ...rest) => {
      const [args, ...others] = Array.isArray(rest[0]) ? rest : [[], ...rest]
      const [options, ...after] = isOptions(others[0]) ? others : [{}, ...others]
      return call(file, args, toOptions(options as Options), ...after)
    }
  const spawn = withOwn((file, args, options) => spawnOn(own, file, args as string[], options as Options))
  const [execFile, spawnSync] = [withOwn(real.execFile as Call), withOwn(real.spawnSync as Call)]
  Object.assign(execFile, {[promisify.custom]: withOwn(promisify(real.execFile) as Call)})
  return {...real, spawn, execFile, spawnSync} as typeof real
}

function isOptions(given: unknown): boolean {
  return typeof given === 'object' && given !== null
}

/** Starts a child; of this process's standard streams it gets those of the run. */
function spawnOn(own: OwnProcess, file: string, args: string[], options: Options): real.ChildProcess {
  const asked: unknown[] = Array.isArray(options.stdio) ? options.stdio : Array(3).fill(options.stdio ?? 'pipe')
  const shared = asked.map((one, at) => (one === 'inherit' ? at : one))
  const stdio = shared.map((one) => (isStandard(one) ? 'pipe' : one))
  const child = real.spawn(file, args, {...options, stdio} as real.SpawnOptions)
  for (const [at, descriptor] of shared.entries()) {
    if (descriptor === 0) own.process.stdin.pipe(child.stdin as NodeJS.WritableStream)
    if (descriptor !== 1 && descriptor !== 2) continue
    child.stdio[at]?.on('data', (bytes: Uint8Array) => own.print(descriptor, bytes))
  }
  return child
}

function isStandard(one: unknown): one is 0 | 1 | 2 {
  return one === 0 || one === 1 || one === 2
}
