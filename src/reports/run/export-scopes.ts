import {type ReadId, readOperation} from '../../contract/index.js'
import {defined} from '../../values/defined.js'
import {sortNames} from '../../values/json.js'
import type {ServiceSource} from '../../values/service.js'
import {identityDigest} from '../export/export-identity.js'
import type {ExportAsk, ExportLayout} from '../export/export-types.js'

/** The scope of coverage: what can be seen with a key, the report, and the filters. */
export function coverageScope(
  {baseUrl, stage, keyFingerprint}: ServiceSource,
  read: ReadId,
  filters: ExportAsk['filters'],
): string {
  const {keptAs} = readOperation(read).report ?? {}
  return identityDigest({
    ...(keptAs !== undefined && {report: keptAs}),
    baseUrl,
    stage,
    keyFingerprint,
    filters: sortNames(defined(filters)),
  })
}

/** The scope of a watermark beside its name: other filters or columns have read nothing yet. */
export function watermarkScope(source: ServiceSource, layout: ExportLayout, ask: ExportAsk): string {
  const {rows, chosen = null} = layout
  const {where = layout.where} = ask.moving
  const kind = {rows, chosen: chosen === null ? null : [...chosen], where: [...where], timeBasis: ask.timeBasis}
  return identityDigest({scope: coverageScope(source, ask.report, ask.filters), ...kind})
}
