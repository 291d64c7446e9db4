import {commandLine} from '../../core/command-line.js'
import {CliFailure, type ErrorEntry, entryOf} from '../../core/errors.js'
import type {Manifest} from '../../reports/export/manifest.js'
import type {Compared} from '../../reports/verify/compare-export.js'
import {adviceToRead, sinceNameOf, verifyFile} from '../../reports/verify/verify-file.js'
import {counted} from '../../values/counted.js'
import type {JsonValue} from '../../values/json.js'
import {isSameService} from '../../values/service.js'
import type {CommandContext} from '../app/command-context.js'
import type {EnvelopeMeta} from '../app/envelope.js'
import {toLines} from '../app/messages.js'
import type {OpenedClient} from '../client/open-client.js'
import {simpleTable} from '../terminal/simple-table.js'
import type {ExportFlags} from './export-flags.js'
import {withExportSession} from './export-session.js'

export type VerifyFlags = ExportFlags & {readonly sample?: string | undefined; readonly full?: boolean}

const mostNamed = 20

/** Checks an exported file against its manifest, and with `--sample` or `--full` against the service. */
export async function verifyExport(file: string, flags: VerifyFlags, context: CommandContext): Promise<void> {
  const share = toShare(flags)
  const {path, manifest, errors} = await verifyFile(file)
  if (share === 0 || errors.length > 0) {
    const isOk = errors.length === 0
    const text = isOk ? `${path}: ${describeMatch(manifest)}\n` : undefined
    return presentChecked({data: {file: path, ok: isOk, manifest}, text, errors}, context)
  }

  await compareWithService({path, manifest, share}, flags, context, async (comparison, meta) => {
    const {changes, compared, ranges} = comparison
    const wrong = [...comparison.errors, ...(changes.length > 0 ? [differs(path, manifest, comparison)] : [])]
    const isOk = wrong.length === 0
    const text = `${path}: ${describeMatch(manifest)} ${counted(compared, 'record')} compared: no differences.\n`
    const data = {file: path, ok: isOk, compared, ranges, changes, manifest}
    await presentChecked({data, text: isOk ? text : undefined, errors: wrong, meta}, context)
  })
}

/**
 * Reads the range of an exported file once more, and shows which records were added, changed or removed. A file that does
 * not match its manifest is not compared: its own damage would be shown as changes of the service.
 */
export async function showChanges(file: string, flags: VerifyFlags, context: CommandContext): Promise<void> {
  const {path, manifest, errors: broken} = await verifyFile(file)
  if (broken.length > 0) return presentChecked({data: {file: path, manifest}, text: undefined, errors: broken}, context)

  await compareWithService({path, manifest, share: 1}, flags, context, async (comparison, {requests}) => {
    const {changes, compared, errors} = comparison
    const count = (kind: string) => changes.filter(({change}) => change === kind).length
    const counts = {added: count('added'), changed: count('changed'), removed: count('removed')}
    const {added, changed, removed} = counts
    const words = wordsOf(manifest)
    context.messages.note(
      `${path}: ${counted(compared, 'record')} read, ${added} ${words.added}, ${changed} changed, ${removed} removed since it was exported.`,
    )
    const rows = changes.map(({id, change}) => [id, words[change]])
    const {asked, served} = manifest.range
    await presentChecked(
      {
        data: {file: path, compared, ...counts, changes},
        text: rows.length === 0 ? '' : await simpleTable(['id', 'change'], rows),
        errors,
        meta: {...(requests && {requests}), range: {asked, served}},
      },
      context,
    )
  })
}

type Checked = {data: unknown; text: string | undefined; errors: ErrorEntry[]; meta?: EnvelopeMeta}

async function presentChecked({data, errors, ...more}: Checked, {messages, present}: CommandContext): Promise<void> {
  for (const error of errors) messages.tell(toLines('incomplete', error))
  await present({...more, data: data as JsonValue, errors, exit: errors.length === 0 ? 'ok' : 'incomplete'})
}

/** Reads the range of the file again; `work` gets the comparison and the number of requests. */
async function compareWithService(
  {path, manifest, share}: {path: string; manifest: Manifest; share: number},
  flags: VerifyFlags,
  context: CommandContext,
  work: (comparison: Compared, meta: EnvelopeMeta) => Promise<void>,
): Promise<void> {
  await withExportSession(manifest.report, flags, context, async ({opened, engine, follow}) => {
    checkSource(path, manifest, opened, context)
    const {compareExport} = await import('../../reports/verify/compare-export.js')
    const comparison = await follow(compareExport(path, manifest, {engine, share, random: opened.random}))
    await work(comparison, {requests: opened.meta().requests})
  })
}

/** Throws `usage` for another service, and warns about another key, which may see other records. */
function checkSource(
  path: string,
  {keyFingerprint, baseUrl, stage}: Manifest,
  {source}: OpenedClient,
  {caution}: CommandContext,
): void {
  if (!isSameService(source.baseUrl, baseUrl) || source.stage !== stage) {
    const now = `${source.baseUrl} (${source.stage})`
    throw new CliFailure(`${path} was read from ${baseUrl} (${stage}), not from ${now}.`, {
      code: 'OTHER_SERVICE',
      hints: ['Name the profile that it was read with: --profile'],
    })
  }

  if (source.keyFingerprint === keyFingerprint) return
  caution(`${path} was read with another API key, which may see other records`)
}

/** The share of records to compare with the service; 0 compares only with the manifest. */
function toShare({sample, full}: VerifyFlags): number {
  if (full === true) return 1
  if (sample === undefined) return 0
  const percent = Number(/^(\d{1,3}(?:\.\d+)?)%?$/.exec(sample.trim())?.[1])
  if (percent > 0 && percent <= 100) return percent / 100
  throw new CliFailure(`--sample ${sample}: not a percentage`, {
    code: 'SAMPLE',
    hints: ['Write a percentage, such as --sample 5%'],
  })
}

function describeMatch({rows, grade, range}: Manifest): string {
  return `Matches its manifest: ${counted(rows, 'row')}, ${range.asked.join(' to ')}, grade ${grade}.`
}

export function differs(path: string, manifest: Manifest, {changes, compared}: Compared): ErrorEntry {
  const words = wordsOf(manifest)
  const named = changes.slice(0, mostNamed).map(({id, change}) => `${id} (${words[change]})`)
  const more = changes.length > mostNamed ? ` and ${changes.length - mostNamed} more` : ''
  const differ = `${changes.length} ${changes.length === 1 ? 'differs' : 'differ'}`
  return entryOf(
    'FILE_DIFFERS',
    `of ${counted(compared, 'record')} ${differ} from ${path}: ${named.join(', ')}${more}`,
    {
      file: path,
      hint: `${whyDiffers(manifest, changes)}\nSee all of them with: ${commandLine('reports changes', [path])}`,
    },
  )
}

/** A file of a name leaves out what the files before it have: what is not in it need not have been added since. */
function wordsOf(manifest: Manifest) {
  const added = sinceNameOf(manifest) === undefined ? 'added' : 'not in it'
  return {added, changed: 'changed', removed: 'removed'} as const
}

function whyDiffers(manifest: Manifest, changes: Compared['changes']): string {
  const name = sinceNameOf(manifest)
  const since = `Records may have come or gone since. ${adviceToRead(manifest)}`
  const others = changes.filter(({change}) => change !== 'added')
  if (name === undefined || others.length === changes.length) return since
  const earlier = `What is not in it may be in an earlier file of ${name}.`
  return others.length === 0 ? earlier : `${earlier} ${since}`
}
