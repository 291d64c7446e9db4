import type {Config} from '@oclif/core'
import {readFacts} from '../help/facts.js'
import type {CommandClass, Program} from '../start/program.js'
import type {CommandStart} from './base-command.js'
import type {Environment} from './environment.js'

/** Loads the command of an id and runs it with the arguments after its name. */
export async function runCommand(
  {id, args}: {id: string; args: string[]},
  program: Program,
  {environment, envelope}: Pick<CommandStart, 'environment' | 'envelope'>,
): Promise<void> {
  const Command = await load(id, program)
  const config = toConfig(program, environment)
  const commands = {
    root: program.root,
    known: async () => readFacts((await program.facts()).commands),
    check: async (other: string, given: readonly string[]) =>
      (await load(other, program)).check({args: [...given], config}),
  }
  await Command.start({args, config, environment, envelope, commands})
}

async function load(id: string, program: Program): Promise<CommandClass> {
  const module = await program.load[id]?.()
  if (!module) throw new TypeError(`no command ${id}`)
  module.default.id = id
  return module.default
}

/**
 * The part of oclif's configuration that commands and the parser use. The rest finds plugins, hooks and commands in
 * files, which the build did already.
 */
function toConfig({version, root}: Program, environment: Environment): Config {
  const name = 'vendorctl'
  const toKey = (key: string) => `VENDORCTL_${key}`
  const config = {
    ...{bin: name, name, version, root, userAgent: `${name}/${version}`, topicSeparator: ':'},
    pjson: {name, version, oclif: {}},
    runHook: async () => ({successes: [], failures: []}),
    scopedEnvVarKey: toKey,
    scopedEnvVarKeys: (key: string) => [toKey(key)],
    scopedEnvVar: (key: string) => environment[toKey(key)],
  }
  return config as unknown as Config
}
