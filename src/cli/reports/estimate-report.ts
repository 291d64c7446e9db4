import {reportOperation} from '../../contract/index.js'
import {type ExportCost, estimateExport, toCost} from '../../reports/export/estimate.js'
import type {ExportAsk, ExportLayout} from '../../reports/export/export-types.js'
import {findAsk} from '../../reports/run/export-target.js'
import {counted, thousands} from '../../values/counted.js'
import type {CommandContext} from '../app/command-context.js'
import {toExportRequest} from './export-commands.js'
import type {ExportFlags} from './export-flags.js'
import {withExportSession} from './export-session.js'

/** Ends the command with an estimate. The layout is needed where the last export of a name is to be found. */
export async function presentEstimate(
  flags: ExportFlags,
  context: CommandContext,
  {ask, layout}: {ask: ExportAsk; layout: ExportLayout | undefined},
): Promise<void> {
  const {report} = ask
  await withExportSession(report, flags, context, async ({opened, register, shared, engine}) => {
    const {source} = opened
    const estimate = await estimateExport({
      client: opened.client,
      ask: layout
        ? await findAsk({request: toExportRequest(flags), planned: {layout, ask}, register, shared}, source)
        : ask,
      ...{maximumDays: engine.maximumDays, pageSize: engine.pageSize, probes: engine.probes},
    })
    const cost = toCost(estimate, opened.client.quota(), Number(opened.resolved.values.rate.value))
    const {record} = reportOperation(report).report
    const {records, ...others} = cost
    const data = {...others, [record[1]]: records}
    await context.present({data, text: renderCost(cost, record), meta: {requests: opened.meta().requests}})
  })
}

function renderCost(cost: ExportCost, [one, several]: readonly [string, string]): string {
  const {windows, counted: seen, records, pages, probes, requests, seconds, shareOfDay, available, days} = cost
  const about = seen < windows ? `about (${seen} of ${counted(windows, 'window')} counted) ` : ''
  const fits =
    requests <= available
      ? `${thousands(available)} may be used today.`
      : `Only ${thousands(available)} may be used today: add --spread ${days}${available > 0 ? ', or --until-quota and run the command again' : ''}.`
  return [
    `${about}${thousands(records)} ${records === 1 ? one : several} in ${counted(windows, 'window')}`,
    `${counted(requests, 'request')}: ${counted(pages, 'page')}, ${counted(probes, 'boundary check')}, 1 login`,
    `${thousands(seconds)} s at the rate of this key, ${(shareOfDay * 100).toFixed(1)} % of the day's requests`,
    fits,
    '',
  ].join('\n')
}
