import type {Committed} from '../../formats/files/part-file.js'
import type {ExportState} from '../register/export-state.js'

/** What `NAME.part` must hold, by the checkpoint: so many bytes, and the digest of all of them. */
export function committedOf(state: ExportState): Committed {
  const {bytes} = state.totals()
  const last = state.lastSegment()
  return last ? {bytes, digest: last.sha256} : {bytes}
}
