import type {Config} from '@oclif/core'
import type {Program} from '../start/program.js'
import type {CommandStart} from './base-command.js'
import type {Environment} from './environment.js'

/** Loads the command of an id and runs it with the arguments after its name. */
export async function runCommand(
  {id, args}: {id: string; args: string[]},
  program: Program,
  {environment, envelope}: Pick<CommandStart, 'environment' | 'envelope'>,
): Promise<void> {
  const module = await program.load[id]?.()
  if (!module) throw new TypeError(`no command ${id}`)
  const Command = module.default
  Command.id = id
  await Command.start({args, config: toConfig(program, environment), environment, envelope})
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
