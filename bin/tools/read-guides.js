import {readFileSync} from 'node:fs'
import {guideNames} from '../../build/cli/help/facts.js'

const folder = new URL('../../src/cli/help/guides/', import.meta.url)

/** The Markdown of each guide, by its name. */
export function readGuides() {
  return Object.fromEntries(guideNames.map((name) => [name, readFileSync(new URL(`${name}.md`, folder), 'utf8')]))
}
