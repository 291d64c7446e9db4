import {writeOperation} from '../../contract/index.js'
import type {SetResult} from '../send/send-sets.js'
import type {RunReport} from './report.js'

/** The report with how many records left with values that were read right before: applied, or in doubt. */
export function withLive(report: RunReport, results: readonly SetResult[]): RunReport {
  const left = results.flatMap(({answer, live}) => {
    const isLeft = answer.fate === 'applied' || answer.fate === 'inDoubt'
    return live && live.rows > 0 && isLeft ? [live] : []
  })
  if (left.length === 0) return report
  const {live: fields} = writeOperation(report.operation)
  const rows = left.reduce((sum, one) => sum + one.rows, 0)
  return {...report, live: {fields, rows, milliseconds: Math.max(...left.map(({milliseconds}) => milliseconds))}}
}
