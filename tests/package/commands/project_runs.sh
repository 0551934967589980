export PAYMENTS_URL=http://127.0.0.1:7878 PAYMENTS_KEY=sk_test_EsAviJUjvlJUUT29gtfilWJY
build/payments
