import {exitCodeOf} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure, type ErrorEntry} from '../../core/errors.js'
import type {Manifest} from '../../reports/export/manifest.js'
import type {Change, Comparison} from '../../reports/verify/compare-export.js'
import {counted} from '../../values/counted.js'
import type {JsonValue} from '../../values/json.js'
import {isSameService} from '../../values/service.js'
import {toLines} from '../app/messages.js'
import type {OpenedClient} from '../client/open-client.js'
import {toRequests} from '../read/finish-read.js'
import {fingerprint} from '../settings/fingerprint.js'
import type {ExportFlags} from './export-flags.js'
import {ExportWork} from './export-work.js'

export type VerifyFlags = ExportFlags & {sample?: string; full?: boolean}

const mostNamed = 20

/** Looks at an exported file: against its manifest, and against the service. */
export class VerifyWork extends ExportWork {
  async verify(file: string, flags: VerifyFlags): Promise<void> {
    const share = toShare(flags)
    const {verifyFile} = await import('../../reports/verify/verify-file.js')
    const {path, manifest, errors} = await verifyFile(file)
    if (share === 0 || errors.length > 0) {
      for (const error of errors) this.messages.tell(toLines('incomplete', error))
      const data = {file: path, ok: errors.length === 0, manifest} as unknown as JsonValue
      const text = errors.length === 0 ? describeChecked(path, manifest) : undefined
      return this.present({data, text, exit: errors.length === 0 ? 'ok' : 'incomplete', errors})
    }

    await this.compare({path, manifest}, {flags, share}, async (comparison, opened) => {
      const {changes, compared, ranges} = comparison
      const wrong = [...comparison.errors, ...(changes.length > 0 ? [differs(path, comparison)] : [])]
      for (const error of wrong) this.messages.tell(toLines('incomplete', error))
      await this.present({
        data: {file: path, ok: wrong.length === 0, compared, ranges, changes, manifest} as unknown as JsonValue,
        text:
          wrong.length === 0
            ? `${describeFacts(path, manifest)}: ${counted(compared, 'record')} compared, as the service has them.\n`
            : undefined,
        meta: {requests: toRequests(opened)},
        exit: wrong.length === 0 ? 'ok' : 'incomplete',
        errors: wrong,
      })
    })
  }

  /** Reads again what the file was read from; `work` is given what came of it while the client is open. */
  protected async compare(
    {path, manifest}: {path: string; manifest: Manifest},
    {flags, share}: {flags: VerifyFlags; share: number},
    work: (comparison: Comparison, opened: OpenedClient) => Promise<void>,
  ): Promise<void> {
    await this.withEngine(flags, async ({opened, engine, progress}) => {
      this.#checkKey(path, manifest, opened)
      const {compareExport} = await import('../../reports/verify/compare-export.js')
      const comparison = await compareExport(path, manifest, {engine, share, random: opened.random})
      progress.end()
      await work(comparison, opened)
    })
  }

  /** Another key may see other records. */
  #checkKey(path: string, {keyFingerprint, baseUrl, stage}: Manifest, {found, resolved}: OpenedClient): void {
    const {values} = resolved
    if (!isSameService(values.baseUrl.value ?? '', baseUrl) || values.stage.value !== stage) {
      throw new CliFailure(
        `${path} was read from ${baseUrl} (${stage}), not from ${values.baseUrl.value} (${values.stage.value}).`,
        {
          code: 'OTHER_SERVICE',
          exit: 'usage',
          hints: ['Name the profile that it was read with: --profile'],
        },
      )
    }

    if (fingerprint(found.credentials?.apiKey ?? '') === keyFingerprint) return
    this.caution(`${path} was read with another API key, which may see other records`)
  }
}

/** 0: only against the manifest. */
function toShare({sample, full}: VerifyFlags): number {
  if (full === true) return 1
  if (sample === undefined) return 0
  const percent = Number(/^(\d{1,3}(?:\.\d+)?)%?$/.exec(sample.trim())?.[1])
  if (percent > 0 && percent <= 100) return percent / 100
  throw new CliFailure(`--sample ${sample}: not a share`, {
    code: 'SAMPLE',
    exit: 'usage',
    hints: ['Write a percentage, such as --sample 5%'],
  })
}

function describeFacts(path: string, {rows, grade, range}: Manifest): string {
  return `${path}: ${counted(rows, 'row')}, ${range.asked.join(' … ')}, grade ${grade}`
}

/** What was looked at, and what nothing but the manifest says. */
function describeChecked(path: string, {rows, grade, range}: Manifest): string {
  const checked = `${path}: length, digest and ${counted(rows, 'row')} are as its manifest says`
  return `${checked}, which tells of ${range.asked.join(' … ')}, grade ${grade}.\n`
}

function differs(path: string, {changes, compared}: Comparison): ErrorEntry {
  const named = changes.slice(0, mostNamed).map(toWords)
  const more = changes.length > mostNamed ? ` and ${changes.length - mostNamed} more` : ''
  return {
    code: 'FILE_DIFFERS',
    message: `of ${counted(compared, 'record')} ${changes.length} ${changes.length === 1 ? 'is' : 'are'} not as in ${path}: ${named.join(', ')}${more}`,
    exit: exitCodeOf('incomplete').code,
    file: path,
    changed: 'none',
    retry: 'after-fix',
    hint: `Records may have come or gone since. Export again with --fresh --overwrite. See all of them with: ${commandLine('reports changes', [path])}`,
  }
}

function toWords({id, change}: Change): string {
  return `${id} (${change})`
}
