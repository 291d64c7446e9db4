import {counted} from '../../values/counted.js'
import type {JsonValue} from '../../values/json.js'
import {toLines} from '../app/messages.js'
import {toRequests} from '../read/finish-read.js'
import {simpleTable} from '../terminal/simple-table.js'
import {type VerifyFlags, VerifyWork} from './verify-work.js'

/** Reads what a file was exported from once more, and shows which records came, went or are not as they were. */
export class ChangesWork extends VerifyWork {
  async showChanges(file: string, flags: VerifyFlags): Promise<void> {
    const {readManifestOf} = await import('../../reports/verify/verify-file.js')
    const {path, manifest} = await readManifestOf(file)
    await this.compare({path, manifest}, {flags, share: 1}, async ({changes, compared, errors}, opened) => {
      const count = (kind: string) => changes.filter(({change}) => change === kind).length
      const counts = {added: count('added'), changed: count('changed'), removed: count('removed')}
      this.messages.note(
        `${path}: ${counted(compared, 'record')} read, ${counts.added} added, ${counts.changed} changed, ${counts.removed} removed since it was exported.`,
      )
      for (const error of errors) this.messages.tell(toLines('incomplete', error))
      const rows = changes.map(({id, change}) => [id, change])
      await this.present({
        data: {file: path, compared, ...counts, changes} as unknown as JsonValue,
        text: rows.length === 0 ? '' : await simpleTable(['id', 'change'], rows),
        meta: {requests: toRequests(opened), range: {asked: manifest.range.asked, served: manifest.range.served}},
        exit: errors.length > 0 ? 'incomplete' : 'ok',
        errors,
      })
    })
  }
}
