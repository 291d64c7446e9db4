import {bytesOf, join, type ScannedPage, toAnswer} from './page-elements.js'

const largestPage = 16 * 1024 * 1024

/** Records as they came, held until the columns are settled: pages are not kept for the few records that count. */
export function createHeldRecords() {
  let parts: Buffer[] = []
  return {
    add(page: ScannedPage, indexes: readonly number[]): void {
      if (indexes.length > 0) parts.push(join(indexes.map((index) => bytesOf(page, index))))
    },
    /** The records as answers of their own. */
    toPages(): Buffer[] {
      const pages: Buffer[][] = []
      let size = largestPage
      for (const part of parts) {
        if (size + part.length > largestPage) {
          pages.push([])
          size = 0
        }
        pages.at(-1)?.push(part)
        size += part.length
      }

      return pages.map((page) => toAnswer(page))
    },
    clear(): void {
      parts = []
    },
  }
}
