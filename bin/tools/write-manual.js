import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {renderManual} from '../../build/cli/help/render-manual.js'
import {readGuides} from './read-guides.js'

// Writes the manual page from the manifest and the guides, as part of the build.
const root = new URL('../../', import.meta.url)
const read = (name) => JSON.parse(readFileSync(new URL(name, root), 'utf8'))
const {version, oclif} = read('package.json')
const {commands} = read('oclif.manifest.json')
const facts = {version, topics: oclif.topics, commands, guides: readGuides()}

mkdirSync(new URL('dist/', root), {recursive: true})
writeFileSync(new URL('dist/vendorctl.1', root), renderManual(facts))
