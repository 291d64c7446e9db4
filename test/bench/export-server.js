// Hands out pre-serialised pages as fast as a socket takes them; its first line says where it listens.
import {createServer} from 'node:http'
import {batchesPerPage, createPages} from './export-pages.js'

const total = Number(process.argv[2] ?? 77)
const pages = createPages(total)
const token = JSON.stringify({
  accessToken: 'bench',
  userName: 'bench',
  issued: '1/1/2026 1:00:00 AM',
  expires: '1/1/2096 1:00:00 AM',
})

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    if (request.url.endsWith('/authenticate')) return response.end(token)
    const page = Number(request.headers.page ?? 1)
    const size = Number(request.headers.size ?? batchesPerPage)
    const body = size === batchesPerPage ? pages.whole(page - 1) : pages.part((page - 1) * size, size)
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': body.length,
      page,
      size,
      'total-pages': Math.ceil((total * batchesPerPage) / size),
    })
    response.end(body)
  })
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`))
