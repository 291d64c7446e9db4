import {spawnSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {Config, Plugin} from '@oclif/core'
import {describe, expect, test} from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

test('the committed manifest is what the commands say', async () => {
  const committed = JSON.parse(readFileSync(`${root}/oclif.manifest.json`, 'utf8')) as {
    commands: object
    version: string
  }
  const config = await Config.load(root)
  const plugin = new Plugin({root, type: 'core', ignoreManifest: true, errorOnManifestCreate: true})
  await plugin.load()

  const own = Object.entries(committed.commands).filter(([, command]) => command.pluginName === config.name)
  const fresh = JSON.parse(JSON.stringify(plugin.manifest.commands)) as object

  expect(committed.version).toBe(config.version)
  expect(Object.fromEntries(own)).toEqual(fresh)
})

describe('help as oclif itself shows it, without what the build makes of it', () => {
  const code = `
    import {run} from '@oclif/core'
    const [root, ...words] = process.argv.slice(1)
    await run(words, {root}).catch(({message, code, hints}) => console.log(JSON.stringify({message, code, hints})))`

  function show(...words: string[]) {
    const given = ['--input-type=module', '-e', code, root, ...words]
    return spawnSync(process.execPath, given, {cwd: root, encoding: 'utf8'}).stdout
  }

  test.each([
    [['help', 'sites', 'create'], 'vendorctl sites create'],
    [['sites', '--help'], 'vendorctl sites'],
  ])('of what is there: %j', (words, usage) => {
    expect(show(...words)).toContain(usage)
  })

  test('of what is not there names the nearest', () => {
    expect(JSON.parse(show('help', 'sites', 'creat'))).toEqual({
      message: 'Unknown command "sites creat".',
      code: 'UNKNOWN_COMMAND',
      hints: ['Did you mean: vendorctl sites create', 'See all commands with: vendorctl --help'],
    })
  })
})
