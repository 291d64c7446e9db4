import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {renderManual} from '../../build/cli/help/render-manual.js'
import {settingKeys} from '../../build/cli/settings/setting-keys.js'

// Writes the manual page from the manifest, as part of the build.
const root = new URL('../../', import.meta.url)
const read = (name) => JSON.parse(readFileSync(new URL(name, root), 'utf8'))
const {version, oclif} = read('package.json')
const {commands} = read('oclif.manifest.json')
const settings = Object.values(settingKeys).map(({environment, about}) => [environment, about])

mkdirSync(new URL('dist/', root), {recursive: true})
writeFileSync(new URL('dist/vendorctl.1', root), renderManual({version, topics: oclif.topics, commands, settings}))
