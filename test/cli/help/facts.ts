import {readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {guideNames, type HelpFacts} from '../../../src/cli/help/facts.js'
import type {CommandFacts} from '../../../src/values/command-facts.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))

type Manifest = {version: string; commands: Record<string, CommandFacts & {pluginName: string}>}
type Package = {description: string; oclif: {topics: HelpFacts['topics']}}

const read = (name: string) => JSON.parse(readFileSync(`${root}/${name}`, 'utf8')) as unknown
const manifest = read('oclif.manifest.json') as Manifest

const {description, oclif} = read('package.json') as Package

/** What the committed manifest and package say. */
export const facts: HelpFacts = {
  version: manifest.version,
  topics: oclif.topics,
  commands: manifest.commands,
  guides: Object.fromEntries(
    guideNames.map((name) => [name, readFileSync(`${root}/src/cli/help/guides/${name}.md`, 'utf8')]),
  ),
}

export {description}

export const commandIds = Object.keys(manifest.commands)
export const topics = Object.keys(oclif.topics)
