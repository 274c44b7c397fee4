# WebSearch flow sizes: the web-search cluster measured for DCTCP (Alizadeh et al., "Data Center
# TCP (DCTCP)", SIGCOMM 2010), as tabulated in traffic_gen/WebSearch_distribution.txt of
# the HPCC simulator (alibaba-edu/High-Precision-Congestion-Control).
# Mean 1 711 250 bytes with straight lines between the points.
#
# size_bytes probability
0 0
10000 0.15
20000 0.20
30000 0.30
50000 0.40
80000 0.53
200000 0.60
1000000 0.70
2000000 0.80
5000000 0.90
10000000 0.97
30000000 1
