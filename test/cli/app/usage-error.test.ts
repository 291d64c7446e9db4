import {Args, Command, type Config, Flags} from '@oclif/core'
import {expect, test} from 'vitest'
import {markDashed} from '../../../src/cli/app/read-arguments.js'
import {FlagValueError, toCliFailure} from '../../../src/cli/app/usage-error.js'

class Example extends Command {
  static override id = 'sites:example'
  static override args = {id: Args.string({required: true, description: 'Id of a site.'})}
  static override flags = {
    limit: Flags.integer({min: 0}),
    out: Flags.string({dependsOn: ['dry', 'limit']}),
    dry: Flags.boolean(),
    stage: Flags.string({options: ['rc', 'v1']}),
    file: Flags.string({exclusive: ['plan'], atLeastOne: ['file', 'plan']}),
    plan: Flags.string({atLeastOne: ['file', 'plan']}),
    wait: Flags.string({
      parse: async () => {
        throw new FlagValueError('--wait is not a number of seconds.')
      },
    }),
  }

  async run(): Promise<void> {
    await this.parse(Example)
  }

  static async failureOf(words: string): Promise<{message: string; hints: string[]; exit: string}> {
    const config = {runHook: async () => ({successes: [], failures: []})} as unknown as Config
    const {message, hints, exit} = await new Example(
      markDashed(words.split(' ').filter(Boolean), Example.flags),
      config,
    )
      .run()
      .then(() => toCliFailure(new Error('none')))
      .catch((error: unknown) => toCliFailure(error, Example))
    return {message, hints, exit}
  }
}

const help = 'See: vendorctl sites example --help'

test.for([
  ['--file f', 'Missing argument: ID (Id of a site)'],
  ['1 2 --file f', 'Unexpected argument: 2'],
  ['1 --limit x', 'Parsing --limit: Expected an integer but received: x.'],
  ['1 --limit=-1', 'Parsing --limit: Expected an integer greater than or equal to 0 but received: -1.'],
  ['1 --stage v9', 'Expected --stage=v9 to be one of: rc, v1.'],
  ['1 --stage', 'Flag --stage expects one of these values: rc, v1.'],
  ['1 --limit', 'Flag --limit expects a value.'],
  ['1 --limit 1 --limit 2', 'Flag --limit can only be specified once.'],
  ['1', 'At least one of the following must be provided: --file, --plan.'],
  ['1 --file f --out o', '--out needs --dry and --limit.'],
  ['1 --file f --out o --dry', '--out needs --limit.'],
  [
    '1 --out o --limit 1',
    'All of the following must be provided when using --out: --dry, --limit. At least one of the following must be provided: --file, --plan.',
  ],
  ['1 --file f --plan p', '--plan=p cannot also be provided when using --file.'],
] as const)('"%s" is a usage error', async ([words, message]) => {
  expect(await Example.failureOf(words)).toEqual({message, hints: [help], exit: 'usage'})
})

test.for([
  ['--lmit 3', '--lmit', '--limit'],
  ['--limt=3', '--limt=3', '--limit'],
  ['--hlep', '--hlep', '--help'],
] as const)('a mistyped flag is named, and the nearest one: %s', async ([words, flag, nearest]) => {
  expect(await Example.failureOf(`1 ${words}`)).toEqual({
    message: `Unknown flag ${flag}.`,
    hints: [`Did you mean ${nearest}?`, help],
    exit: 'usage',
  })
})

test('what a flag says of its value is reported as it is', async () => {
  expect(await Example.failureOf('1 --wait x')).toEqual({
    message: '--wait is not a number of seconds.',
    hints: [],
    exit: 'usage',
  })
})
