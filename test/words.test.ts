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

/** Files that still hold some of them, by how their path begins. */
const stillAllowed: readonly string[] = [
  'src/cli/help/guides/environment.md',
  'src/cli/help/guides/exporting.md',
  'README.md',
  'bin/tools/rolldown.config.js',
  'oclif.manifest.json',
  'src/cli/app/main.ts',
  'src/cli/reports/export-flags.ts',
  'src/cli/settings/doctor-checks.ts',
  'src/cli/settings/examine.ts',
  'src/cli/settings/profiles.ts',
  'src/cli/terminal/error-output.ts',
  'src/cli/terminal/output.ts',
  'src/cli/terminal/progress.ts',
  'src/cli/write/report-write.ts',
  'src/client/pages/pages-in-flight.ts',
  'src/commands/doctor.ts',
  'src/contract/exit-codes.ts',
  'src/contract/input-problems.ts',
  'src/contract/refusals.ts',
  'src/contract/row-codes.ts',
  'src/derive/explain.ts',
  'src/formats/scan/page-elements.ts',
  'src/formats/scan/page-shapes.ts',
  'src/formats/write/write-parquet.ts',
  'src/http/body-collection.ts',
  'src/http/proxy.ts',
  'src/quota/bucket.ts',
  'src/quota/ledger-book.ts',
  'src/quota/ledger.ts',
  'src/quota/memory-ledger.ts',
  'src/quota/open-ledger.ts',
  'src/reports/export/build-manifest.ts',
  'src/reports/export/manifest.ts',
  'src/values/lent-room.ts',
]

function find(text: string): string[] {
  return replaced.flatMap((word) => text.match(word) ?? [])
}

const sources = ['src', 'bin', '.github'].flatMap((folder) =>
  readdirSync(join(root, folder), {recursive: true, encoding: 'utf8', withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map(({parentPath, name}) => join(parentPath, name).slice(root.length)),
)

test('words that were replaced do not come back', () => {
  const files = [...sources, 'README.md', 'package.json', 'oclif.manifest.json']
  const found = files
    .filter((path) => !stillAllowed.some((start) => path.startsWith(start)))
    .flatMap((path) => find(`${path}\n${readFileSync(join(root, path), 'utf8')}`).map((word) => `${path}: ${word}`))

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
