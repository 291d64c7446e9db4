import type {Config} from '@oclif/core'
import type {Program} from '../start/program.js'

/** Runs the command of an id with the arguments after its name. */
export async function runCommand({id, words}: {id: string; words: string[]}, program: Program): Promise<void> {
  const module = await program.load[id]?.()
  if (!module) throw new TypeError(`no command ${id}`)
  const Command = module.default
  Command.id = id
  await Command.start(words, toConfig(program))
}

/**
 * The part of oclif's configuration that commands and the parser use. The rest finds plugins, hooks and commands in
 * files, which the build did already.
 */
function toConfig({version, root}: Program): Config {
  const name = 'vendorctl'
  const toKey = (key: string) => `VENDORCTL_${key}`
  const config = {
    ...{bin: name, name, version, root, userAgent: `${name}/${version}`, topicSeparator: ':'},
    pjson: {name, version, oclif: {}},
    runHook: async () => ({successes: [], failures: []}),
    scopedEnvVarKey: toKey,
    scopedEnvVarKeys: (key: string) => [toKey(key)],
    scopedEnvVar: (key: string) => process.env[toKey(key)],
  }
  return config as unknown as Config
}
