import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {expect, test} from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Words that were replaced by the terms of the field, also as parts of identifiers. */
const replaced = [
  /(?<![Aa]|[Oo]m|re)[Mm]end|(?<!A|OM|RE)MEND/g,
  /[Ff]oretold|FORETOLD/g,
  /[Bb]allast|BALLAST/g,
  /[Ll]anding(?! page)|LANDING/g,
  /[Ss]eam(?!less)|SEAM/g,
  /[Uu]nheard|UNHEARD/g,
  /[Ll]end_?[Rr]oom/g,
  /[Tt]ake[_ ]?[Bb]ack/g,
]

/** Names that users have in scripts and files: a flag that still works, and a member of manifests. */
const kept = /["']no-seam-probes["']|\bseams: \{/g

function find(text: string): string[] {
  const checked = text.replaceAll(kept, '')
  return replaced.flatMap((word) => checked.match(word) ?? [])
}

const sources = ['src', 'bin', '.github'].flatMap((folder) =>
  readdirSync(join(root, folder), {recursive: true, encoding: 'utf8', withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map(({parentPath, name}) => join(parentPath, name).slice(root.length)),
)

test('words that were replaced do not come back', () => {
  const files = [...sources, 'README.md', 'package.json', 'oclif.manifest.json']
  const found = files.flatMap((path) =>
    find(`${path}\n${readFileSync(join(root, path), 'utf8')}`).map((word) => `${path}: ${word}`),
  )

  expect(found).toEqual([])
})

test.each(['mended', 'recommend(Mend', 'canMend', 'DISK_BALLAST', 'landings', 'seamProbes', 'take back', 'lendRoom()'])(
  'finds %s',
  (text) => {
    expect(find(text)).toHaveLength(1)
  },
)

test('leaves words that only look like them', () => {
  expect(find('amend, recommend, commend, Amendment, seamless, a landing page, streamEnd, baseAmount')).toEqual([])
})
