import {readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {Config, Plugin} from '@oclif/core'
import {expect, test} from 'vitest'

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
