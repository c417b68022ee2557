#include <girih/girih.h>
#include <string.h>

int main(void)
{
    const girih_alg* alg = girih_ml_kem_512();
    unsigned char pk[800], sk[1632], ct[768], sent[32], received[32];
    if (girih_keygen(alg, NULL, pk, sizeof pk, sk, sizeof sk) != GIRIH_OK) return 1;
    if (girih_encapsulate(alg, NULL, pk, sizeof pk, ct, sizeof ct, sent, sizeof sent) != GIRIH_OK) return 2;
    if (girih_decapsulate(alg, sk, sizeof sk, ct, sizeof ct, received, sizeof received) != GIRIH_OK) return 3;
    return memcmp(sent, received, sizeof sent) == 0 ? 0 : 4;
}
