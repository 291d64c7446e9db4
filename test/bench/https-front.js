// Ends TLS for a plain service on this machine, in a process of its own: https-front.js PORT. Prints its own port.
import {connect} from 'node:net'
import {createServer} from 'node:tls'
import {certificate, certificateKey} from '../support/certificate.ts'

const port = Number(process.argv[2])
const server = createServer({cert: certificate, key: certificateKey}, (socket) => {
  const plain = connect(port, '127.0.0.1')
  socket
    .on('error', () => plain.destroy())
    .pipe(plain.on('error', () => socket.destroy()))
    .pipe(socket)
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
